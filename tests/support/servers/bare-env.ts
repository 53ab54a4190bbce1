/** What a process of its own needs of this one's environment: a test that starts one gives the rest. */
export const BARE_ENV = { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE };
