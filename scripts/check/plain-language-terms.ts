/** A word that Hub's code and text must not contain, and a better one. */
interface Term {
  /** One example for each banned word; a test checks that each of them is reported. */
  examples: readonly string[];
  use: string;
  /** Tested against each line. */
  text: RegExp;
}

export const TERMS: readonly Term[] = [
  { use: 'AppError, error, reject', examples: ['// Sends a refusal.'], text: /\brefusals?\b/i },
  {
    // Only questions have answers.
    use: 'response, reply, result',
    examples: ['// It answers with 404.'],
    text: /\banswer(s|ed|ing)? with\b/i,
  },
  {
    use: 'validation error, issue, problem, error',
    examples: ['// Names what is at fault.', '// It is a fault of its own.', '// Finds no fault.'],
    text: /\bat fault\b|\bfaults? of (its|their) own\b|\b(no|every|first|all the) faults?\b/i,
  },
  {
    use: 'check, validate, authenticate, authorize',
    examples: ['// The input is judged.'],
    text: /\bjudg(es?|ed|ing|e?ments?)\b/i,
  },
  {
    use: 'state, status, role',
    examples: ['// Shows how it stands.', '// Reads how things stand.'],
    text: /\bhow (it|they|things?|that) stands?\b/i,
  },
  {
    use: 'caller, credential, role',
    examples: ['function remove(by: User) {}'],
    text: /\bby: (?!UserRef)[A-Z]\w*(?=[,;)]| =)/,
  },
  {
    use: 'notify, send, publish, emit, report',
    examples: ['// Users are told.', '// It tells of a post.'],
    text: /\b(is|are|was|were|be|been|being) told\b|\btells? of\b/i,
  },
  {
    use: 'listener, subscriber, follower',
    examples: ['// Those who hear of it.', '// It goes to who follows.'],
    text: /\bwho (hears?\b|follows\b)/i,
  },
  { use: 'action, command, audit entry', examples: ['// A deed.'], text: /\bdeeds?\b/i },
  {
    use: 'text, label, message, draft, errorMessage',
    examples: ['// Restores the kept words.', '// It is empty, in words.'],
    text: /\bkept words\b|, in words\b/i,
  },
  {
    use: 'notification, recipient, reason',
    examples: ['// Whom the news concerns.'],
    text: /\baddressees?\b|\bNotices\b|\bthe news\b/,
  },
  {
    use: 'avatar, image, screenshot',
    examples: ['// The picture of a user.'],
    text: /\b(the|a|an|their|your|own|bot's|user's) (face|picture)s?\b/i,
  },
  {
    use: 'flush, persist, save',
    examples: ['// The time is written down.'],
    text: /\bwr(ite|ites|itten|iting|ote) (it |them )?down\b/i,
  },
  { use: 'options, deps, context, environment', examples: ['// Reads its surroundings.'], text: /\bsurroundings\b/i },
  { use: 'collapse, expand', examples: ['// Long posts are folded.'], text: /\b(is|are|was|were) (un)?folded\b/i },
  { use: 'finding, problem', examples: ['// Its ailments.'], text: /\bailments?\b/i },
  { use: 'worker, concurrency', examples: ['// Runs in lanes.'], text: /\bin lanes\b/i },
  {
    use: 'reveal, pass, give',
    examples: ['// The key is handed over.'],
    text: /\bhand(s|ed|ing)? (it |them |the key )?over\b/i,
  },
  {
    use: 'isReplacementOf, conversion, converted',
    examples: ['// What became of it.', '// The to-do made of it.'],
    text: /\b(became|becomes?) of\b|\bto-dos? made of\b/i,
  },
  { use: 'guarded, unsupported, follow', examples: ['// It goes unheeded.'], text: /\b(un)?heed(s|ed)?\b/i },
  { use: 'retry, reload, refresh, restart, again', examples: ['// It is loaded anew.'], text: /\banew\b/i },
  { use: 'fix', examples: ['// What mends it.'], text: /\bmend(s|ed|ing)?\b/i },
  { use: 'error, problem', examples: ['// In trouble.'], text: /\btroubles?\b/i },
  {
    use: 'user (code, API, hubctl), member (web app, docs), anyone, someone',
    examples: ['// Somebody did.', '// Whoever did.', "// Hold it in one's head."],
    text: /\bsomebody\b|\bpersons\b|\bwhoever\b|\bwhomever\b|\bone's\b/i,
  },
  { use: 'item; in UI texts the kind', examples: ['// 2 things to see to.'], text: /\bthings? to see to\b/i },
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
