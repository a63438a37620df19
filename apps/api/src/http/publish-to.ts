/** The part of Bun's server that is used here. */
type Publisher = Pick<Bun.Server<unknown>, 'publish' | 'subscriberCount'>;

/**
 * Sends to the subscribers of a topic. False if one of them did not get it because too much waits for him already: Bun
 * then returns 0, as it does if there is nobody.
 */
export function publishTo(server: Publisher, topic: string, data: string, compress: boolean): boolean {
  return server.publish(topic, data, compress) !== 0 || server.subscriberCount(topic) === 0;
}
