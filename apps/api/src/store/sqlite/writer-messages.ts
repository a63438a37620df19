import { AppError, type ErrorCode, StoreUnavailable } from '../../errors.ts';
import type { WriterReport } from './writer.ts';
import type { WriteName } from './writes.ts';

/** What the writer's thread is asked. Calls travel many at a time: a message costs more than what is in it. */
export type ToWriter =
  | { type: 'open'; file: string; botId: string }
  | { type: 'calls'; calls: Call[] }
  | { type: 'close' };

export type CallName = WriteName | 'findKey' | 'listKeys' | 'keyUsage';
export type Call = [id: number, name: CallName, input: unknown];

export type FromWriter =
  | { type: 'answers'; responses: HubResponse[] }
  | { type: 'batch'; report: WriterReport }
  | { type: 'closed' };

export type HubResponse = [id: number, value: unknown] | [id: number, value: undefined, failure: Failure];

/** An error in a form that can be copied between threads; the class of an error cannot. */
export type Failure =
  | { kind: 'refusal'; code: ErrorCode; message: string; headers: Readonly<Record<string, string>> }
  | { kind: 'unavailable'; cause: unknown }
  | { kind: 'fault'; message: string; stack: string | undefined; code: string | undefined };

export function toFailure(error: unknown): Failure {
  if (error instanceof StoreUnavailable) return { kind: 'unavailable', cause: error.cause };
  if (error instanceof AppError) {
    return { kind: 'refusal', code: error.code, message: error.message, headers: error.headers };
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  return { kind: 'fault', message, stack, code };
}

export function fromFailure(failure: Failure): unknown {
  if (failure.kind === 'unavailable') return new StoreUnavailable(failure.cause);
  if (failure.kind === 'refusal') return new AppError(failure.code, failure.message, failure.headers);
  const { message, stack, code } = failure;
  const error: Error & { code?: string } = new Error(message);
  if (code !== undefined) error.code = code;
  if (stack !== undefined) error.cause = stack;
  return error;
}
