import { AppError, type ErrorCode, StoreUnavailable } from '../../errors.ts';
import type { WriterReport } from './writer.ts';
import type { WriteName } from './writes.ts';

/**
 * Messages to the writer thread. Many calls are sent in one message, since a message itself costs more than its
 * content.
 */
export type ToWriter =
  | { type: 'open'; file: string; botId: string }
  | { type: 'calls'; calls: Call[] }
  | { type: 'close' };

export type CallName = WriteName | 'findKey' | 'listKeys' | 'keyUsage';
export type Call = [id: number, name: CallName, input: unknown];

export type FromWriter =
  | { type: 'results'; results: CallResult[] }
  | { type: 'batch'; report: WriterReport }
  | { type: 'closed' };

export type CallResult = [id: number, value: unknown] | [id: number, value: undefined, failure: Failure];

/** An error as plain data, since instances of its class cannot be copied between threads. */
export type Failure =
  | { kind: 'app_error'; code: ErrorCode; message: string; headers: Readonly<Record<string, string>> }
  | { kind: 'unavailable'; cause: unknown }
  | { kind: 'other'; message: string; stack: string | undefined; code: string | undefined };

export function toFailure(error: unknown): Failure {
  if (error instanceof StoreUnavailable) return { kind: 'unavailable', cause: error.cause };
  if (error instanceof AppError) {
    return { kind: 'app_error', code: error.code, message: error.message, headers: error.headers };
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  return { kind: 'other', message, stack, code };
}

export function fromFailure(failure: Failure): unknown {
  if (failure.kind === 'unavailable') return new StoreUnavailable(failure.cause);
  if (failure.kind === 'app_error') return new AppError(failure.code, failure.message, failure.headers);
  const { message, stack, code } = failure;
  const error: Error & { code?: string } = new Error(message);
  if (code !== undefined) error.code = code;
  if (stack !== undefined) error.cause = stack;
  return error;
}
