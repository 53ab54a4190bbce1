/** Sets a value as the newest in a map, and removes the oldest one if the map then has more than `most`. */
export function setAndEvictOldest<Value>(map: Map<string, Value>, key: string, value: Value, most: number): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}
