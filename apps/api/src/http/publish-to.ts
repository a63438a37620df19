/** The part of Bun's server used here. */
type Publisher = Pick<Bun.Server<unknown>, 'publish' | 'subscriberCount'>;

/**
 * Sends to the subscribers of a topic. Returns false if a subscriber missed it because too much is already buffered for
 * them: Bun then returns 0, as it does without subscribers.
 */
export function publishTo(server: Publisher, topic: string, data: string, compress: boolean): boolean {
  return server.publish(topic, data, compress) !== 0 || server.subscriberCount(topic) === 0;
}
