/** What a separate process needs from this one's environment. A test that starts one adds the rest. */
export const BARE_ENV = { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE };
