/** Messages of one kind between the tabs of a browser. */
export type Topic<News> = {
  /** Sends to every other tab. */
  broadcast: (news: News) => void;
  /** Calls back with messages of other tabs. Returns a function that stops it. */
  follow: (listener: (news: News) => void) => () => void;
};

const PREFIX = "tabs ";

/** Opens the topic with this name. Ignores anything else, such as the messages of another version of the product. */
export function openTopic<News>(name: string, isNews: (value: unknown) => value is News): Topic<News> {
  const listeners = new Set<(news: News) => void>();
  let channel: BroadcastChannel | undefined;

  function hear(value: unknown) {
    if (isNews(value)) for (const listener of listeners) listener(value);
  }
  const open = () => (channel ??= openChannel(PREFIX + name, hear));
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target
    broadcast: (news) => open()?.postMessage(news),
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
 * Opens a channel. Returns undefined if the browser refuses, as Firefox does without cookies. Each tab then learns the
 * news when it is reloaded.
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
 * Calls back when another tab has changed an entry of local storage. The key is null if it has cleared all of them.
 * Returns a function that stops it.
 */
export function watchStorage(onChange: (key: string | null, value: string | null) => void): () => void {
  const follow = ({ key, newValue, oldValue }: StorageEvent) => {
    if (key === null || newValue !== oldValue) onChange(key, newValue);
  };
  addEventListener("storage", follow);
  return () => removeEventListener("storage", follow);
}
