/** What the tabs of one browser tell each other about one thing. */
export type Topic<News> = {
  /** Tells every other tab. */
  tell: (news: News) => void;
  /** Calls back with what other tabs tell. Returns what ends it. */
  follow: (listener: (news: News) => void) => () => void;
};

const PREFIX = "tabs ";

/** A topic of that name. What is no news of it, as from another version of the product, is not heard. */
export function openTopic<News>(name: string, isNews: (value: unknown) => value is News): Topic<News> {
  const listeners = new Set<(news: News) => void>();
  let line: Line | undefined;

  function hear(value: unknown) {
    if (isNews(value)) for (const listener of listeners) listener(value);
  }
  const open = () => (line ??= openLine(PREFIX + name, hear));
  return {
    tell: (news) => open().post(news),
    follow(listener) {
      open();
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        line?.close();
        line = undefined;
      };
    },
  };
}

type Line = { post: (value: unknown) => void; close: () => void };

function openLine(name: string, hear: (value: unknown) => void): Line {
  if (typeof BroadcastChannel === "undefined") return openStorage(name, hear);
  const channel = new BroadcastChannel(name);
  channel.addEventListener("message", ({ data }: MessageEvent<unknown>) => hear(data));
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target
    post: (value) => channel.postMessage(value),
    close: () => channel.close(),
  };
}

/** Where there are no channels: an entry that goes at once is a message to the tabs that see it come. */
function openStorage(name: string, hear: (value: unknown) => void): Line {
  const close = followStored((key, value) => {
    if (key === name && value !== null) hear(parse(value));
  });
  return { post: (value) => store(name, JSON.stringify(value)), close };
}

function store(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
    localStorage.removeItem(name);
  } catch {
    // Storage may be switched off: then each tab learns of it when it loads again.
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Calls back when another tab has changed an entry of local storage, or, with null as its key, cleared it as a whole.
 * Returns what ends it.
 */
export function followStored(onChange: (key: string | null, value: string | null) => void): () => void {
  const follow = ({ key, newValue, oldValue }: StorageEvent) => {
    if (key === null || newValue !== oldValue) onChange(key, newValue);
  };
  addEventListener("storage", follow);
  return () => removeEventListener("storage", follow);
}
