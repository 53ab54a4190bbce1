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
  let channel: BroadcastChannel | undefined;

  function hear(value: unknown) {
    if (isNews(value)) for (const listener of listeners) listener(value);
  }
  const open = () => (channel ??= openChannel(PREFIX + name, hear));
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target
    tell: (news) => open()?.postMessage(news),
    follow(listener) {
      open();
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        channel?.close();
        channel = undefined;
      };
    },
  };
}

/**
 * Undefined where a browser refuses channels, as Firefox does to who keeps no cookies: each tab learns when it loads
 * again.
 */
function openChannel(name: string, hear: (value: unknown) => void): BroadcastChannel | undefined {
  try {
    const channel = new BroadcastChannel(name);
    channel.addEventListener("message", ({ data }: MessageEvent<unknown>) => hear(data));
    return channel;
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
