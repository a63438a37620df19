import type { Proof } from '@hub/testkit';
import type { Caller } from './caller.ts';
import type { SeededData } from './seed.ts';
import { format, p99, sweep } from './sweeps.ts';
import { FREQUENT, RARE, word } from './text.ts';

const SEARCH_BOUND_MS = 200;
/** The number of slowest searches to report. Searches over the limit are always listed. */
const REPORTED = 5;

/**
 * Searches for words of every frequency, alone and combined, as a member of many Hubs and as an admin who is a member
 * of all.
 */
export async function measureSearches(
  proof: Proof,
  { caller, fixture, rounds, when }: { caller: Caller; fixture: SeededData; rounds: number; when: string },
): Promise<void> {
  const { hubIds, keys, users } = fixture;
  const texts = {
    'a rare word': RARE.word,
    'a word of every tenth message': FREQUENT.tenth,
    'a word of every third': FREQUENT.third,
    // With a trailing space, the word is not a prefix.
    'the most frequent word': `${word(1)} `,
    'a word that nothing holds': 'xylophonist',
    'two frequent words': `${FREQUENT.tenth} ${FREQUENT.third}`,
    'a frequent and a rare word': `${FREQUENT.third} ${RARE.word}`,
    'four words': `${word(1)} ${word(2)} ${word(3)} ${word(4)}`,
    'a phrase': `"${FREQUENT.third} ${word(1)}"`,
    'a prefix of two letters': FREQUENT.tenth.slice(0, 2),
    'the beginning of a word of every third': FREQUENT.third.slice(0, 4),
    'a prefix of a syllable': word(5).slice(0, 3),
  };
  const filters = ['', 'kind=note', `hubId=${hubIds[0]}`, `keyId=${keys[0]?.id}`];
  const tasks = Object.entries({ member: users.ada, admin: users.admin }).flatMap(([who, { token }]) =>
    Object.entries(texts).flatMap(([name, text]) =>
      filters.map((filter) => {
        const path = `/api/v1/search?limit=100&q=${encodeURIComponent(text)}&${filter}`;
        return { name: `${name}, ${who}${filter && ` ${filter}`}`, once: () => search(caller, path, token) };
      }),
    ),
  );
  const swept = await sweep(tasks, rounds);
  const slowest = swept.toSorted((one, other) => p99(other) - p99(one));
  for (const each of slowest.slice(0, REPORTED)) proof.report(`search for ${format(each)} (${when})`);
  const slow = slowest.filter((each) => p99(each) >= SEARCH_BOUND_MS);
  proof.check(
    `a search takes under ${SEARCH_BOUND_MS} ms (p99), ${when}`,
    slow.length === 0,
    slow.length === 0 ? `${swept.length} kinds, first and second page` : slow.map(format).join('; '),
  );
}

async function search(caller: Caller, path: string, token: string): Promise<number[]> {
  const taken: number[] = [];
  let next = '';
  for (let page = 0; page < 2 && next !== null; page += 1) {
    const { ms, status, body } = await caller.get(`${path}${next && `&before=${next}`}`, token);
    if (status !== 200) throw new Error(`${path}: ${status} ${body}`);
    taken.push(ms);
    next = (JSON.parse(body) as { next: string }).next;
  }
  return taken;
}
