import { BASE62, buildToken, KEY_PREFIX, RANDOM_CHARACTERS } from '../../../packages/contract/src/index.ts';
import { headerOf, openConnection, postRequest } from '../connection.ts';

/** More connections than the number of requests that the server delays at the same time after failures. */
const CONNECTIONS = 600;

export interface WrongKeys {
  /** Stops sending, and resolves once every request has received its response. */
  stop(): Promise<{ responses: number; problems: string[] }>;
}

/**
 * Sends wrong keys continuously from the same address as valid ones: some unknown but well-formed, some truncated. Each
 * must get 401 without information about a limit, and is slowed down.
 */
export async function sendWrongKeys(port: number): Promise<WrongKeys> {
  const problems: string[] = [];
  let responses = 0;
  let isOver = false;
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => openConnection(port)));
  const work = connections.map(async (connection, n) => {
    while (!isOver) {
      const response = await connection.send(postRequest('messages', wrongKey(n), 'Hello'));
      responses += 1;
      const limit = headerOf(response, 'RateLimit') ?? headerOf(response, 'Retry-After');
      if (response.status !== 401 || limit !== null) problems.push(`${response.status}, of a limit: ${limit}`);
      // Sends as fast as an attacker over a real network could; at full speed, the two cores would do nothing else.
      await Bun.sleep(200);
    }
    connection.close();
  });
  return {
    stop: async () => {
      isOver = true;
      await Promise.all(work);
      return { responses, problems };
    },
  };
}

function wrongKey(n: number): string {
  const random = () => BASE62.charAt(Math.floor(Math.random() * BASE62.length));
  const key = buildToken(KEY_PREFIX, Array.from({ length: RANDOM_CHARACTERS }, random).join(''));
  return n % 3 === 0 ? key.slice(0, -1) : key;
}
