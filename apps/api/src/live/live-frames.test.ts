import { expect, test } from 'bun:test';
import type { EventRecord } from '../storage/events.ts';
import { ReplayedFrames } from './live-frames.ts';

const event = (seq: number, { hubId = 'hub_1', itemId = `msg_${seq}`, at = 0 } = {}): EventRecord => ({
  hubId,
  seq,
  at,
  event: 'message.changed',
  itemId,
  data: null,
  item: null,
});

function replayed(...seqs: number[]): ReplayedFrames {
  const frames = new ReplayedFrames();
  for (const seq of seqs) frames.add(event(seq), { isFresh: true });
  return frames;
}

const seqsAfter = (frames: ReplayedFrames, after: number, limit = 50): number[] =>
  frames.after('hub_1', after, limit).map(({ seq }) => seq);

test('a frame is reused unchanged for the next client', () => {
  const frames = new ReplayedFrames();
  const made = [1, 2, 3].map((seq) => frames.add(event(seq), { isFresh: true }));
  expect(frames.after('hub_1', 0, 50)).toEqual(made);
  expect(frames.after('hub_1', 1, 1)).toEqual(made.slice(1, 2));
  expect(frames.after('hub_2', 0, 50)).toEqual([]);
});

test('returned frames never have a gap', () => {
  const frames = replayed(1, 2, 4, 5);
  expect(seqsAfter(frames, 0)).toEqual([1, 2]);
  expect(seqsAfter(frames, 2)).toEqual([]);
  expect(seqsAfter(frames, 3)).toEqual([4, 5]);
});

test('a change to an item drops its frames and no others', () => {
  const frames = replayed(1, 2);
  frames.add(event(3, { itemId: 'msg_1' }), { isFresh: true });
  frames.invalidate(event(4, { itemId: 'msg_1' }));
  expect(seqsAfter(frames, 0)).toEqual([]);
  expect(seqsAfter(frames, 1)).toEqual([2]);
  expect(seqsAfter(frames, 2)).toEqual([]);
});

test('a new item makes no frame stale, neither a cached one nor one that is being read', () => {
  const frames = replayed(1, 2);
  const { version } = frames;
  frames.invalidate({ ...event(3), event: 'message.created' });
  expect(seqsAfter(frames, 0)).toEqual([1, 2]);
  expect(frames.version).toBe(version);
  frames.invalidate(event(3));
  expect(frames.version).toBeGreaterThan(version);
});

test('a change to a Hub drops all of its frames', () => {
  const frames = replayed(1, 2);
  frames.invalidate({ ...event(3), event: 'items.pruned', itemId: null, data: { before: '2026-01-01' } });
  expect(seqsAfter(frames, 0)).toEqual([]);
});

test('a frame that is created again replaces the old one', () => {
  const frames = replayed(1);
  const { text } = frames.add(event(1, { at: 1_000 }), { isFresh: true });
  expect(frames.after('hub_1', 0, 50)).toEqual([{ seq: 1, text }]);
  expect(text).toContain('1970-01-01T00:00:01.000Z');
});

test('the cache is bounded: older frames are dropped first', () => {
  const frames = new ReplayedFrames();
  const longEvent = (seq: number): EventRecord => event(seq, { itemId: `${seq}${'x'.repeat(1024 * 1024)}` });
  for (let seq = 1; seq <= 7; seq += 1) frames.add(longEvent(seq), { isFresh: true });
  expect(seqsAfter(frames, 0)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  frames.add(longEvent(8), { isFresh: true });
  expect(seqsAfter(frames, 0)).toEqual([]);
  expect(seqsAfter(frames, 7)).toEqual([8]);
});
