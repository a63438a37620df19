import type { Item, ItemFile } from '@hub/contract';

export const KIND_CHOICES: readonly { kind: Item['kind']; label: string }[] = [
  { kind: 'message', label: 'Messages' },
  { kind: 'note', label: 'Notes' },
  { kind: 'todo', label: 'To-dos' },
];

export function kindLabel(item: Pick<Item, 'kind'> & { parentId?: string | null }): string {
  if (item.kind === 'note') return 'Note';
  if (item.kind === 'todo') return 'To-do';
  return typeof item.parentId === 'string' ? 'Reply' : 'Message';
}

/** Returns the URL that shows an item: in its conversation, in its thread, or in a panel beside its list. */
export function itemUrl({ id, hubId, ...item }: Pick<Item, 'id' | 'hubId'> & KindAndParent): string {
  const hub = `/hubs/${encodeURIComponent(hubId)}`;
  const own = encodeURIComponent(id);
  if (item.kind === 'note') return `${hub}/notes?open=${own}`;
  if (item.kind === 'todo') return `${hub}/todos?open=${own}`;
  if (typeof item.parentId !== 'string') return `${hub}?at=${own}`;
  const parent = encodeURIComponent(item.parentId);
  const [kind] = parent.split('_');
  const list = kind === 'note' || kind === 'todo' ? `/${kind}s?` : `?at=${parent}&`;
  return `${hub}${list}open=${parent}&reply=${own}`;
}

interface KindAndParent {
  kind: Item['kind'];
  parentId?: string | null;
}

export type ImageFile = ItemFile & { width: number; height: number };

export const isImage = <File extends ItemFile>(file: File): file is File & ImageFile =>
  file.width !== undefined && file.height !== undefined;

export const fileUrl = ({ id }: Pick<ItemFile, 'id'>): string => `/api/v1/files/${id}`;

/** The size at which an image is shown, so that nothing moves when it has loaded. */
export function sizeWithin({ width, height }: ImageFile, most: { width: number; height: number }) {
  const scale = Math.min(1, most.width / width, most.height / height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

const TEXT_TYPE = /^text\/|[/+](json|xml|yaml)$/;
const TEXT_NAME = /\.(txt|log|out|err|md|csv|jsonl?|ya?ml|toml|ini|xml|diff|patch|sql|sh|[jt]sx?|py|go|rs)$/i;

/** Whether the lines of a file are shown: by its type, or by its name if the sender knew no type. */
export function isText({ name, contentType }: ItemFile): boolean {
  return TEXT_TYPE.test(contentType) || (contentType === 'application/octet-stream' && TEXT_NAME.test(name));
}

export const TAIL_LINES = 20;
const LINE_BYTES = 60;
/** The lines of a short text can be far shorter than that. */
const LEAST_LINES = 3;

/** The height in lines that is kept free for a text, so that nothing moves when it has loaded; more lines scroll. */
export function linesFor({ size }: ItemFile): number {
  return Math.min(TAIL_LINES, Math.max(LEAST_LINES, Math.ceil(size / LINE_BYTES)));
}
