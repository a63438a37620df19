export const ITEM_KINDS = ['message', 'note', 'todo'] as const;
export type WireKind = (typeof ITEM_KINDS)[number];

/** One value for each kind of item. */
export type PerKind<T> = Record<WireKind, T>;

export function perKind<T>(make: (kind: WireKind) => T): PerKind<T> {
  return { message: make('message'), note: make('note'), todo: make('todo') };
}
