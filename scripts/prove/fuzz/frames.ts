import { pick, type Random, WebSocketByHand } from '@hub/testkit';
import type { Outcomes } from './http.ts';
import { mutateJson, textOf } from './mutations.ts';

const [CONTINUE, TEXT, BINARY, CLOSE, PING, PONG] = [0, 1, 2, 8, 9, 10] as const;
const FIN = 0x80;
const OPEN_MS = 5_000;
const TYPES = new Set(['subscribed', 'reset', 'event', 'hubs.changed', 'workspace.changed', 'notification', 'error']);

interface Sent {
  readonly name: string;
  readonly bytes: Buffer;
  /** Whether the frame violates RFC 6455 or a limit, so that the server must close the connection. */
  readonly isFatal: boolean;
}

function frame(
  opcode: number,
  payload: Buffer,
  { first = FIN, isMasked = true, claims = payload.length } = {},
): Buffer {
  const mask = Buffer.from([1, 2, 3, 4]);
  const length =
    claims < 126
      ? Buffer.from([claims])
      : claims < 65_536
        ? Buffer.from([126, claims >> 8, claims & 255])
        : Buffer.from([127, 0, 0, 0, 0, claims / 2 ** 24, claims >> 16, claims >> 8, claims]);
  length[0] = (length[0] ?? 0) | (isMasked ? 0x80 : 0);
  const masked = isMasked ? Buffer.from(payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0))) : payload;
  return Buffer.concat([Buffer.from([first | opcode]), length, ...(isMasked ? [mask] : []), masked]);
}

/** Returns a mutated frame. */
function mutateFrame(random: Random, hubId: string): Sent {
  const good = Buffer.from(JSON.stringify({ type: 'subscribe', hubId, after: 0 }));
  const text = Buffer.from(textOf(mutateJson(random, { type: 'subscribe', hubId, after: 0, epoch: 'x' })));
  const [begin, end] = [good.subarray(0, 20), good.subarray(20)].map((part, n) =>
    frame(n === 0 ? TEXT : CONTINUE, part, { first: n === 0 ? 0 : FIN }),
  ) as [Buffer, Buffer];
  const ping = frame(PING, Buffer.from('x'));
  const long = Buffer.alloc(4_000, 'x');
  const tooLong = Buffer.concat([frame(TEXT, long, { first: 0 }), frame(CONTINUE, long)]);
  const valid: [string, Buffer][] = [
    ['binary', frame(BINARY, good)],
    ['an empty frame', frame(TEXT, Buffer.alloc(0))],
    ['two fragments', Buffer.concat([begin, end])],
    ['a ping within fragments', Buffer.concat([begin, ping, end])],
    ['a ping', ping],
    ['a pong that nobody asked for', frame(PONG, Buffer.alloc(125))],
  ];
  const fatal: [string, Buffer][] = [
    ['fragments that are too long together', tooLong],
    ['a frame of 5 KB', frame(TEXT, Buffer.alloc(5_000, ' '))],
    ['a frame that claims 4 GB', frame(TEXT, good, { claims: 2 ** 32 - 1 })],
    ['broken UTF-8', frame(TEXT, Buffer.from([0x7b, 0xff, 0x7d]))],
    ['a surrogate in UTF-8', frame(TEXT, Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]))],
    ['an unknown opcode', frame(pick(random, [3, 5, 7, 11, 15]), good)],
    ['no mask', frame(TEXT, good, { isMasked: false })],
    ['a reserved bit', frame(TEXT, good, { first: FIN | pick(random, [0x10, 0x20, 0x40]) })],
    ['a ping in fragments', frame(PING, Buffer.from('x'), { first: 0 })],
    ['a ping that is too long', frame(PING, Buffer.alloc(126))],
    ['the end of a message that has no beginning', frame(CONTINUE, good)],
    ['a close', frame(CLOSE, Buffer.from([3, 232]))],
    ['a close with a code that is none', frame(CLOSE, Buffer.from([0, 5]))],
    ['a close of one byte', frame(CLOSE, Buffer.from([3]))],
  ];
  const json: [string, Buffer] = ['mutated JSON', frame(TEXT, text)];
  const [name, bytes] = pick(random, [json, json, json, ...valid, ...fatal]);
  const isFatal = name === json[0] ? text.length > 4_096 : fatal.some((each) => each[0] === name);
  return { name, bytes, isFatal };
}

interface FramesFuzz {
  port: number;
  token: string;
  hubId: string;
  outcomes: Outcomes;
}

/**
 * Opens a live connection and sends a few mutated frames, then a valid one, which must get a response unless the server
 * has closed the connection.
 */
export async function fuzzFrames(
  random: Random,
  index: number,
  { port, token, hubId, outcomes }: FramesFuzz,
): Promise<void> {
  const sent: Sent[] = [];
  for (let left = 1 + Math.floor(random() * 5); left > 0; left -= 1) {
    const next = mutateFrame(random, hubId);
    sent.push(next);
    if (next.isFatal) break;
  }
  const isFatal = sent.at(-1)?.isFatal ?? false;
  const last = frame(TEXT, Buffer.from('{"type":"unsubscribe","the-very-last":1}'));
  const { isClosed, texts, problem } = await talk(
    port,
    token,
    Buffer.concat([...sent.map(({ bytes }) => bytes), last]),
    isFatal,
  );
  outcomes.count(101);
  const names = sent.map(({ name }) => name).join(', ');
  if (problem) outcomes.problem(index, problem, names);
  else if (isFatal && !isClosed) outcomes.problem(index, 'the connection goes on', names);
  else if (!isFatal && isClosed) outcomes.problem(index, 'the connection was closed', names);
  const strange = texts.find((text) => !isServerFrame(text));
  if (strange !== undefined) outcomes.problem(index, `the server sent ${strange.slice(0, 200)}`, names);
}

function isServerFrame(text: string): boolean {
  try {
    return TYPES.has((JSON.parse(text) as { type: string }).type);
  } catch {
    return false;
  }
}

/** Resolves when the server has closed the connection or responded to the last frame. */
function talk(
  port: number,
  token: string,
  bytes: Buffer,
  isFatal: boolean,
): Promise<{ isClosed: boolean; texts: string[]; problem: string | null }> {
  return new Promise((resolve) => {
    const texts: string[] = [];
    const end = (isClosed: boolean, problem: string | null = null): void => {
      clearTimeout(timer);
      resolve({ isClosed, texts, problem });
      wire.cut();
    };
    const timer = setTimeout(() => (isFatal ? end(false) : end(false, 'no response to the last frame')), OPEN_MS);
    const wire: WebSocketByHand = new WebSocketByHand(
      { port, token },
      {
        onOpen: () => wire.sendBytes(bytes),
        onText: (text) => {
          texts.push(text);
          if (!isFatal && text.includes('the-very-last')) end(false);
        },
        onClose: (_, problem) => end(true, problem),
      },
    );
  });
}
