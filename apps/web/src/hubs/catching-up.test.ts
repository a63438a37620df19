import { expect, test } from 'bun:test';
import type { EventFrame } from '@hub/contract';
import { CatchingUp } from './catching-up.ts';

const event = (hubId: string, name: string) => ({ type: 'event', hubId, seq: 1, event: name }) as EventFrame;

test('what every Hub has missed is counted, and told once', () => {
  const notified: number[] = [];
  const catching = new CatchingUp((posts) => notified.push(posts));
  catching.begin(['a', 'b']);
  catching.take(event('a', 'message.created'));
  catching.take(event('a', 'message.changed'));
  catching.take(event('b', 'todo.created'));
  catching.done('a');
  catching.take(event('a', 'note.created'));
  expect(notified).toEqual([]);
  catching.done('b');
  catching.done('b');
  expect(notified).toEqual([2]);
});

test('a connection that goes again tells nothing, and the next one counts anew', () => {
  const notified: number[] = [];
  const catching = new CatchingUp((posts) => notified.push(posts));
  catching.begin(['a']);
  catching.take(event('a', 'message.created'));
  catching.stop();
  catching.done('a');
  catching.begin(['a']);
  catching.done('a');
  expect(notified).toEqual([0]);
});

test('whoever follows no Hub has missed nothing', () => {
  const notified: number[] = [];
  new CatchingUp((posts) => notified.push(posts)).begin([]);
  expect(notified).toEqual([0]);
});
