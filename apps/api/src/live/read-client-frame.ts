import type { ClientFrame } from '@hub/contract';
import { isId } from '../core/ids.ts';
import { printable } from '../core/printable.ts';

const FIELDS = {
  subscribe: ['type', 'hubId', 'after', 'epoch'],
  unsubscribe: ['type', 'hubId'],
  attend: ['type', 'isAttending'],
} as const;

/** Parses a frame from a live client. `problem` says what is wrong and what to change. */
export function readClientFrame(text: string | Buffer): ClientFrame | { problem: string } {
  if (typeof text !== 'string') return { problem: 'A frame must be text that contains one JSON object' };
  let sent: unknown;
  try {
    sent = JSON.parse(text);
  } catch {
    return { problem: 'A frame must be one JSON object, such as {"type":"subscribe","hubId":"hub_…","after":0}' };
  }
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent))
    return { problem: 'A frame must be a JSON object' };
  return readObject(sent as Record<string, unknown>);
}

function readObject(sent: Record<string, unknown>): ClientFrame | { problem: string } {
  const { type, hubId, after, epoch, isAttending } = sent;
  if (type !== 'subscribe' && type !== 'unsubscribe' && type !== 'attend') {
    return { problem: 'type must be subscribe, unsubscribe or attend' };
  }
  const unknown = Object.keys(sent).find((name) => !(FIELDS[type] as readonly string[]).includes(name));
  if (unknown !== undefined) {
    return {
      problem: `${printable(unknown, 64)} is not a field of ${type}; its fields are ${FIELDS[type].join(', ')}`,
    };
  }
  if (type === 'attend') {
    return typeof isAttending === 'boolean' ? { type, isAttending } : { problem: 'isAttending must be true or false' };
  }
  if (typeof hubId !== 'string' || !isId(hubId)) return { problem: 'hubId must be the id of a Hub' };
  if (type === 'unsubscribe') return { type, hubId };
  if (!isAbsent(after) && !(Number.isSafeInteger(after) && Number(after) >= 0)) {
    return { problem: 'after must be the number of the last event you received: a whole number, 0 or greater' };
  }
  if (!isAbsent(epoch) && typeof epoch !== 'string')
    return { problem: 'epoch must be the string that you received with the number' };
  return {
    type,
    hubId,
    ...(isAbsent(after) ? {} : { after: Number(after) }),
    ...(isAbsent(epoch) ? {} : { epoch: String(epoch) }),
  };
}

const isAbsent = (value: unknown): value is null | undefined => value === undefined || value === null;
