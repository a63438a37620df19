import type { UploadedFile, WriteTodoBody } from '@hub/contract';
import { ApiError, errorMessage, NoResponse } from '../request.ts';

/** An uploaded file, as it is shown before its message is sent. */
export type AttachedFile = Pick<UploadedFile, 'id' | 'name' | 'size'>;

/** A message or a to-do from the user that the server has not confirmed. */
export interface Unsent {
  readonly id: string;
  readonly hubId: string;
  /** The target: the id of the Hub, or of the message it replies to; for a to-do, the key of its draft. */
  readonly draftKey: string;
  /** The title of a to-do. */
  readonly text: string;
  /** Set for a to-do: its other fields. */
  readonly todo?: Pick<WriteTodoBody, 'assigneeId' | 'dueDate' | 'priority'>;
  readonly files?: readonly AttachedFile[];
  /** When it was written, ISO 8601. */
  readonly at: string;
  /** `waiting`: no request has been made yet, so the server cannot have it. */
  readonly state: 'waiting' | 'sending' | 'failed';
  /** Why it failed, and what to check before sending it again. */
  readonly failure: string;
}

export const MAY_HAVE_ARRIVED = 'It may have been sent: check before resending.';
/** The error of what was being sent when the page closed. */
export const INTERRUPTED = `The page was closed before the server responded. ${MAY_HAVE_ARRIVED}`;

/** The error of what waited for a connection until the page closed. */
export const NEVER_SENT = 'The page was closed before this could be sent.';

/** Returns why something new was not stored. `mayBe`: what to add if the server may have it nevertheless. */
export function failureText(error: unknown, not: string, mayBe: string): string {
  const isRejected = error instanceof ApiError && (error.statusCode < 500 || error.statusCode === 503);
  // The server says so if its database did not confirm it.
  const isUncertain = error instanceof ApiError && error.message.includes('may have been stored');
  if (isUncertain) return errorMessage(error);
  if (isRejected) return not + errorMessage(error);
  return `${error instanceof NoResponse ? 'No response.' : errorMessage(error)} ${mayBe}`;
}

export function readUnsent(json: string | null): Unsent | null {
  try {
    const value: unknown = JSON.parse(json ?? 'null');
    if (typeof value !== 'object' || value === null) return null;
    const fields = value as Record<string, unknown>;
    // Until 2026-11 the failure was stored as `words`.
    fields.failure ??= fields.words;
    const texts = ['id', 'hubId', 'draftKey', 'text', 'at', 'failure'];
    if (texts.some((name) => typeof fields[name] !== 'string')) return null;
    return ['waiting', 'sending', 'failed'].includes(String(fields.state)) ? (value as Unsent) : null;
  } catch {
    return null;
  }
}
