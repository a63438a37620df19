import { ApiError, errorMessage, NoResponse } from '../api/request.ts';

/** A message of one's own that the server has not confirmed. */
export interface Unsent {
  readonly id: string;
  readonly hubId: string;
  /** What it goes to: the Hub's id, or that of the message that it replies to. */
  readonly draftKey: string;
  readonly text: string;
  /** When it was sent first. */
  readonly at: string;
  /** The tab that is or was sending it. */
  readonly tab: string;
  /** `waiting`: no request has been made yet, so the server surely does not have it. */
  readonly state: 'waiting' | 'sending' | 'failed';
  /** Why it failed, and what to check before sending it again. */
  readonly failure: string;
}

const MAY_HAVE_ARRIVED = 'It may have been sent: check before resending.';
/** For one that the page was closed over. */
export const INTERRUPTED = `The page was closed before there was a response. ${MAY_HAVE_ARRIVED}`;

/** For one that waited for a connection until the page was closed. */
export const NEVER_SENT = 'The page was closed before it could be sent.';

/** Why a message was not sent. Where that is not certain, it says so: sending it again could post it twice. */
export function failureText(error: unknown): string {
  if (error instanceof ApiError && (error.statusCode < 500 || error.statusCode === 503)) return errorMessage(error);
  if (error instanceof NoResponse) return `No response. ${MAY_HAVE_ARRIVED}`;
  return `${errorMessage(error)} ${MAY_HAVE_ARRIVED}`;
}

/** What was kept in the browser, if it is that. */
export function readUnsent(json: string | null): Unsent | null {
  try {
    const value: unknown = JSON.parse(json ?? 'null');
    if (typeof value !== 'object' || value === null) return null;
    const kept = value as Record<string, unknown>;
    // Until 2026-11 the failure was stored as `words`.
    kept.failure ??= kept.words;
    const texts = ['id', 'hubId', 'draftKey', 'text', 'at', 'tab', 'failure'];
    if (texts.some((name) => typeof kept[name] !== 'string')) return null;
    return ['waiting', 'sending', 'failed'].includes(String(kept.state)) ? (value as Unsent) : null;
  } catch {
    return null;
  }
}
