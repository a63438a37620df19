import { pick, type Random } from '@hub/testkit';

const SYLLABLES = [
  'ba',
  'den',
  'fo',
  'gur',
  'hi',
  'jal',
  'ke',
  'lor',
  'mi',
  'nas',
  'po',
  'rin',
  'su',
  'tev',
  'wo',
  'zan',
];
const VOCABULARY = 20_000;
const MIN_WORD_COUNT = 8;
const EXTRA_WORD_COUNT = 72;

/** Words that occur in every tenth and every third message, as is typical for posts from programs. */
export const FREQUENT = { tenth: 'deployed', third: 'build' } as const;
/** A word that occurs in only this many messages. */
export const RARE = { word: 'quetzalcoatlus', messages: 5 } as const;

/** Returns a unique word for each number. */
export function word(number: number): string {
  let text = '';
  for (let rest = number + SYLLABLES.length; rest > 0; rest = Math.floor(rest / SYLLABLES.length)) {
    text += SYLLABLES[rest % SYLLABLES.length];
  }
  return text;
}

/** Returns words distributed as in real text: a few are very common, but most are rare (Zipf's law). */
export function randomText(random: Random, min = MIN_WORD_COUNT, more = EXTRA_WORD_COUNT): string {
  const count = min + Math.floor(random() * more);
  return Array.from({ length: count }, () => word(Math.floor(VOCABULARY ** random()))).join(' ');
}

/** Returns the text of the message with this number. */
export function messageText(random: Random, number: number, messages: number): string {
  const words = [randomText(random)];
  if (number % 10 === 0) words.push(FREQUENT.tenth);
  if (number % 3 === 0) words.unshift(FREQUENT.third);
  if (number % Math.floor(messages / RARE.messages) === 1) words.push(RARE.word);
  return `${words.join(' ')}${pick(random, ['.', '!', '', ' (#4711)'])}`;
}
