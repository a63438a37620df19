/** A word that Hub's code and text must not contain, and a better one. */
interface Term {
  /** One example for each banned word; a test checks that each of them is reported. */
  examples: readonly string[];
  use: string;
  /** Tested against names split into lowercase words: `fieldFault` and `FIELD_FAULT` are `field fault`. */
  name?: RegExp;
  /** Tested against each line of code, comments and other text. */
  text?: RegExp;
}

export const TERMS: readonly Term[] = [
  {
    use: 'AppError, error, reject',
    examples: ['class Refusal {}', 'const postRefused = 1;', '// Sends a refusal.', 'function refuse() {}'],
    name: /\b(refusals?|refuse[sd]?)\b/,
    text: /\brefusals?\b/i,
  },
  {
    use: 'response, reply, result',
    examples: ['const answer = 1;', 'type RawAnswer = string;', '// Waits for the answer.', '// It answers with 404.'],
    name: /\banswer(s|ed)?\b/,
    text: /\b(an|the|its|no|this|that|each|every|any|one) answers?\b|\banswer(s|ed|ing)? with\b|\b(is|are|was|were|be|been) answered\b/i,
  },
  {
    use: 'validation error, issue, problem, error',
    examples: [
      'const fieldFault = 1;',
      '// Names what is at fault.',
      '// It is a fault of its own.',
      '// Finds no fault.',
    ],
    name: /\bfaults?\b/,
    text: /\bat fault\b|\bfaults? of (its|their) own\b|\b(no|every|first|all the) faults?\b/i,
  },
  {
    use: 'check, validate, authenticate, authorize',
    examples: ['function judgeAgain() {}', '// The input is judged.'],
    name: /\bjudg(es?|ed|ing|e?ments?)\b/,
    text: /\bjudg(es?|ed|ing|e?ments?)\b/i,
  },
  {
    use: 'state, status, role',
    examples: ['const standing = 1;', '// Shows how it stands.', '// Reads how things stand.'],
    name: /\bstandings?\b/,
    text: /\bhow (it|they|things?|that) stands?\b/i,
  },
  {
    use: 'caller, credential, role',
    examples: ['const keyHolder = 1;', 'interface WhoShows {}', 'function remove(by: User) {}'],
    name: /\bholders?\b|\bwho shows\b/,
    text: /\bby: [A-Z]\w*(?=[,;)]| =)/,
  },
  {
    use: 'notify, send, publish, emit, report',
    examples: [
      'function tellUsers() {}',
      'const told = 1;',
      'proof.say(text);',
      '// Users are told.',
      '// It tells of a post.',
    ],
    name: /\b(tells?|told)\b|^(say|says|said)$/,
    text: /\b(is|are|was|were|be|been|being) told\b|\btells? of\b/i,
  },
  {
    use: 'listener, subscriber, follower',
    examples: ['const whoHears = 1;', '// Those who hear of it.', '// It goes to who follows.'],
    name: /\bwho (hears|follows)\b/,
    text: /\bwho (hears?\b|follows\b)/i,
  },
  {
    use: 'action, command, audit entry',
    examples: ['const DEEDS = 1;', '// A deed.'],
    name: /\bdeeds?\b/,
    text: /\bdeeds?\b/i,
  },
  {
    use: 'text, label, message, draft, errorMessage',
    examples: ['const dueWords = 1;', 'wordsOf(error);', '// Restores the kept words.', '// It is empty, in words.'],
    name: /^(?!search|query|stop|reserved).* words$|^words of$/,
    text: /\bkept words\b|, in words\b/i,
  },
  {
    use: 'notification, recipient, reason',
    examples: ['const noticeMode = 1;', 'const addressee = 1;', 'const concern = 1;', '// Whom the news concerns.'],
    name: /\b((?<!error )notices?|addressees?|concerns?)\b/,
    text: /\baddressees?\b|\bNotices\b|\bthe news\b/,
  },
  {
    use: 'avatar, image, screenshot',
    examples: ['function Face() {}', 'const botPicture = 1;', '// The picture of a user.'],
    name: /\b(faces?|pictures?)\b/,
    text: /\b(the|a|an|their|your|own|bot's|user's) (face|picture)s?\b/i,
  },
  {
    use: 'flush, persist, save',
    examples: ['function writeDown() {}', '// The time is written down.'],
    name: /\bwr(ite|ites|itten) down\b/,
    text: /\bwr(ite|ites|itten|iting|ote) (it |them )?down\b/i,
  },
  {
    use: 'MAX_…, MIN_…, max…, min…',
    examples: ['const MOST_KEYS = 1;', 'const LONGEST_MS = 1;', 'const LEAST_PACE = 1;', 'const SHORTEST_MS = 1;'],
    name: /^(most|longest|shortest|least) /,
  },
  {
    use: 'fixture, setup, test session',
    examples: ['const keysScene = 1;', 'const seats = [];', 'sitDown();', 'interface Stage {}'],
    name: /\b(scenes?|seats?|stages?|sit down)\b/,
  },
  {
    use: 'options, deps, context, environment',
    examples: ['const wishes = 1;', 'const surroundings = 1;', '// Reads its surroundings.'],
    name: /\b(wishes|surroundings)\b/,
    text: /\bsurroundings\b/i,
  },
  {
    use: 'collapse, expand',
    examples: ['const isFolded = true;', 'function unfold() {}', '// Long posts are folded.'],
    name: /\b(un)?fold(s|ed|ing)?\b/,
    text: /\b(is|are|was|were) (un)?folded\b/i,
  },
  { use: 'lazy, deferred', examples: ['const laterDialog = 1;', 'const later = 1;'], name: /^later\b/ },
  {
    use: 'skeleton, backdrop, card, sparkline, toast, quiet',
    examples: ['const feedBones = 1;', 'const veil = 1;', 'const todoSlip = 1;', 'const spark = 1;', 'const hush = 1;'],
    name: /\b(bones|veils?|slips?|sparks?|hush)\b/,
  },
  {
    use: 'cursor, position, index, URL, slot, path',
    examples: ['const lastPlace = 1;', 'const places = 1;'],
    name: /\bplaces?\b(?! (items|content|self)$)/,
  },
  {
    use: 'finding, problem',
    examples: ['const ailment = 1;', '// Its ailments.'],
    name: /\bailments?\b/,
    text: /\bailments?\b/i,
  },
  {
    use: 'worker, concurrency',
    examples: ['inLanes(4);', '// Runs in lanes.'],
    name: /\blanes?\b/,
    text: /\bin lanes\b/i,
  },
  {
    use: 'reveal, pass, give',
    examples: ['function handOver() {}', '// The key is handed over.'],
    name: /\bhand(s|ed|ing)? over\b/,
    text: /\bhand(s|ed|ing)? (it |them |the key )?over\b/i,
  },
  {
    use: 'isReplacementOf, conversion, converted',
    examples: ['const tookThePlaceOf = 1;', 'const became = 1;', '// What became of it.', '// The to-do made of it.'],
    name: /\btook the place\b|\bbec(ame|omes?)\b/,
    text: /\b(became|becomes?) of\b|\bto-dos? made of\b/i,
  },
  { use: 'notFound', examples: ['thereIsNo(hub);'], name: /^there is no\b/ },
  {
    use: 'guarded, unsupported, follow',
    examples: ['const heed = 1;', '// It goes unheeded.'],
    name: /\b(un)?heed(s|ed)?\b/,
    text: /\b(un)?heed(s|ed)?\b/i,
  },
  {
    use: 'retry, reload, refresh, restart, again',
    examples: ['const startAnew = 1;', 'const readAgain = 1;', '// It is loaded anew.'],
    name: /\banew\b| again$/,
    text: /\banew\b/i,
  },
  {
    use: 'fix',
    examples: ['const mended = 1;', '// What mends it.'],
    name: /\bmend(s|ed|ing)?\b/,
    text: /\bmend(s|ed|ing)?\b/i,
  },
  {
    use: 'error, problem',
    examples: ['const trouble = 1;', '// In trouble.'],
    name: /\btroubles?\b/,
    text: /\btroubles?\b/i,
  },
  {
    use: 'user (code, API, hubctl), member (web app, docs), anyone, someone',
    examples: [
      'const personNames = 1;',
      'const people = 1;',
      '// Somebody did.',
      '// Whoever did.',
      "// Hold it in one's head.",
    ],
    name: /\b(persons?|people)\b/,
    text: /\bsomebody\b|\bpersons\b|\bwhoever\b|\bwhomever\b|\bone's\b/i,
  },
  {
    use: 'item; in UI texts the kind',
    examples: ['const thing = 1;', '// 2 things to see to.'],
    name: /\bthings?\b/,
    text: /\bthings? to see to\b/i,
  },
  {
    use: 'revoke, expire',
    examples: ['// Replace, it leaked.', '// Ends the key.', '// Shows ended keys.'],
    text: /\breplace, it leaked\b|\b(end|stop)s? (a|the|this|your) key\b|\bended keys?\b/i,
  },
  {
    use: '"New" divider, unread marker',
    examples: ['// The mark that parts them.'],
    text: /\b(mark|line) that parts\b/i,
  },
  {
    use: 'forever; permanently; only',
    examples: ['// Kept for ever.', '// Removed for good.', '// For admins alone.'],
    text: /\bfor ever\b|\bfor good\b(?! reason)|\b(admins?|owners?|members?|machine|computer) alone\b/i,
  },
  {
    use: 'Unknown …, Invalid …; check, fix; current',
    examples: ['// foo is no scope.', '// See to it.', '// The present key.'],
    text: /\bis no (scope|role|shell|priority|duration|point|number|id|command)\b|\bsee to it\b|\bthe present (key|one)\b/i,
  },
  {
    use: 'a verb or a noun phrase at the start of a sentence',
    examples: ['/** Of one batch. */', '/** What it does. */', '// Who reads slowly is closed.', '// Whom to add.'],
    text: /(^\s*(\/\*\*?|\*|\/\/) |[.:] )(Of|Who|Whom|What) (?!if\b)[\w'’ ,-]*[^?]*(\.|\*\/)/,
  },
];

/** Names that programs rely on: the OpenAPI document, the metrics, the database, hubctl's errors, and standard terms. */
export const ALLOWED_NAMES: ReadonlySet<string> = new Set(
  `keyRefused longestKeyLifetimeDays EAI_AGAIN ConnectionRefused COMP_WORDS FATAL_FAULT_COUNT faultInjection fault-injection fault_injection is_answered`.split(
    /\s+/,
  ),
);
