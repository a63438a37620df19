import { isBlank } from '@hub/contract/blank-text';
import type { LIMITS as CONTRACT } from '@hub/contract/limits';
import { HubUsageError } from './errors.ts';
import type { Block, CreateMessageInput, CreateNoteInput, CreateTodoInput } from './items.ts';
import { markerWord, withRunMarker } from './run-marker.ts';

/** Written out, so that the package does not contain all limits of the server. */
const LIMITS = {
  messageTextCodePoints: 40_000,
  noteContentCodePoints: 200_000,
  todoContentCodePoints: 40_000,
  blocks: 100,
  blocksBytes: 262_144,
} satisfies Partial<typeof CONTRACT>;

/** Adds the run marker to the JSON of an item. Loaded on demand. */
export function mark(endpoint: string, json: string, marker: string): string {
  markerWord(marker);
  const input = JSON.parse(json);
  return JSON.stringify(
    endpoint === 'messages'
      ? markMessage(input, marker)
      : endpoint === 'notes'
        ? markNote(input, marker)
        : markTodo(input, marker),
  );
}

/**
 * Adds the run marker to the part of a message that is shown. An empty message stays empty, so that the server rejects
 * it.
 */
function markMessage(input: CreateMessageInput, marker: string): CreateMessageInput {
  const { text, blocks } = input;
  if (Array.isArray(blocks) && blocks.length > 0) {
    const markedBlocks = [...blocks, { type: 'paragraph', data: { text: `<code>${markerWord(marker)}</code>` } }];
    return { ...input, blocks: requireBlockLimits(markedBlocks) };
  }
  if (isAbsent(text)) return input;
  return { ...input, text: requireLength('text', withRunMarker(text, marker), LIMITS.messageTextCodePoints) };
}

/** Adds the run marker to the content of a note. An empty note stays empty, so that the server rejects it. */
function markNote(input: CreateNoteInput, marker: string): CreateNoteInput {
  if (isAbsent(input.content)) return input;
  const content = withRunMarker(input.content, marker);
  return { ...input, content: requireLength('content', content, LIMITS.noteContentCodePoints) };
}

/** Adds the run marker to the content of a to-do, which may be missing. The server rejects content of another type. */
function markTodo(input: CreateTodoInput, marker: string): CreateTodoInput {
  const content = input.content ?? '';
  if (typeof content !== 'string') return input;
  return { ...input, content: requireLength('content', withRunMarker(content, marker), LIMITS.todoContentCodePoints) };
}

/** Returns whether the server treats the value as absent, or rejects it because it is not a string. */
function isAbsent(text: unknown): text is null | undefined {
  return typeof text !== 'string' || isBlank(text);
}

function requireLength(field: string, text: string, limit: number): string {
  const size = [...text].length;
  if (size <= limit) return text;
  throw new HubUsageError(`With the run marker, ${field} would have ${size} characters; the limit is ${limit}.`);
}

function requireBlockLimits(blocks: readonly Block[]): readonly Block[] {
  if (blocks.length > LIMITS.blocks) {
    throw new HubUsageError(
      `With the run marker, there would be ${blocks.length} blocks; the limit is ${LIMITS.blocks}.`,
    );
  }
  const bytes = new TextEncoder().encode(JSON.stringify(blocks)).byteLength;
  if (bytes <= LIMITS.blocksBytes) return blocks;
  throw new HubUsageError(
    `With the run marker, blocks would have ${bytes} bytes as JSON; the limit is ${LIMITS.blocksBytes}.`,
  );
}
