import { LIMITS } from '@hub/contract/limits';
import { HubUsageError } from './errors.ts';
import type { Block, CreateMessageInput, CreateNoteInput, CreateTodoInput } from './items.ts';
import { markerWord, withRunMarker } from './run-marker.ts';

/** Marks what the Hub will show of the message. One without any content stays so, for the server to refuse it. */
export function markMessage(input: CreateMessageInput, marker: string): CreateMessageInput {
  const { text, blocks } = input;
  if (Array.isArray(blocks) && blocks.length > 0) {
    const shown = [...blocks, { type: 'paragraph', data: { text: `<code>${markerWord(marker)}</code>` } }];
    return { ...input, blocks: fittingBlocks(shown) };
  }
  if (isBlank(text)) return input;
  return { ...input, text: fitting('text', withRunMarker(text, marker), LIMITS.messageTextCodePoints) };
}

/** Marks the note's content. A note without any stays so, for the server to refuse it. */
export function markNote(input: CreateNoteInput, marker: string): CreateNoteInput {
  if (isBlank(input.content)) return input;
  const content = withRunMarker(input.content, marker);
  return { ...input, content: fitting('content', content, LIMITS.noteContentCodePoints) };
}

/** Marks the to-do's content, which it may not have had. Content that is no text is left for the server to name. */
export function markTodo(input: CreateTodoInput, marker: string): CreateTodoInput {
  const given = input.content ?? '';
  if (typeof given !== 'string') return input;
  return { ...input, content: fitting('content', withRunMarker(given, marker), LIMITS.todoContentCodePoints) };
}

/** Whether the server takes it for absent, or will refuse it for being no text. */
function isBlank(text: unknown): text is null | undefined {
  return typeof text !== 'string' || text.trim() === '';
}

function fitting(field: string, text: string, limit: number): string {
  const size = [...text].length;
  if (size <= limit) return text;
  throw new HubUsageError(`With its run marker ${field} would have ${size} characters; the limit is ${limit}.`);
}

function fittingBlocks(blocks: readonly Block[]): readonly Block[] {
  if (blocks.length > LIMITS.blocks) {
    throw new HubUsageError(
      `With the run marker there would be ${blocks.length} blocks; the limit is ${LIMITS.blocks}.`,
    );
  }
  const bytes = new TextEncoder().encode(JSON.stringify(blocks)).byteLength;
  if (bytes <= LIMITS.blocksBytes) return blocks;
  throw new HubUsageError(
    `With the run marker blocks would have ${bytes} bytes as JSON; the limit is ${LIMITS.blocksBytes}.`,
  );
}
