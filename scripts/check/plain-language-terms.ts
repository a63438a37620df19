/** A word that Hub's code and text must not contain, and a better one. */
interface Term {
  use: string;
  /** Tested against each line. */
  text: RegExp;
}

export const TERMS: readonly Term[] = [
  { use: 'AppError, error, reject', text: /\brefusals?\b/i },
  {
    // Only questions have answers.
    use: 'response, reply, result',
    text: /\banswer(s|ed|ing)? with\b/i,
  },
  {
    use: 'validation error, issue, problem, error',
    text: /\bat fault\b|\bfaults? of (its|their) own\b|\b(no|every|first|all the) faults?\b/i,
  },
  { use: 'check, validate, authenticate, authorize', text: /\bjudg(es?|ed|ing|e?ments?)\b/i },
  { use: 'state, status, role', text: /\bhow (it|they|things?|that) stands?\b/i },
  { use: 'caller, credential, role', text: /\bby: (?!UserRef)[A-Z]\w*(?=[,;)]| =)/ },
  { use: 'notify, send, publish, emit, report', text: /\b(is|are|was|were|be|been|being) told\b|\btells? of\b/i },
  { use: 'listener, subscriber, follower', text: /\bwho (hears?\b|follows\b)/i },
  { use: 'action, command, audit entry', text: /\bdeeds?\b/i },
  { use: 'text, label, message, draft, errorMessage', text: /\bkept words\b|, in words\b/i },
  { use: 'notification, recipient, reason', text: /\baddressees?\b|\bNotices\b|\bthe news\b/ },
  { use: 'avatar, image, screenshot', text: /\b(the|a|an|their|your|own|bot's|user's) (face|picture)s?\b/i },
  { use: 'flush, persist, save', text: /\bwr(ite|ites|itten|iting|ote) (it |them )?down\b/i },
  { use: 'options, deps, context, environment', text: /\bsurroundings\b/i },
  { use: 'collapse, expand', text: /\b(is|are|was|were) (un)?folded\b/i },
  { use: 'finding, problem', text: /\bailments?\b/i },
  { use: 'worker, concurrency', text: /\bin lanes\b/i },
  { use: 'reveal, pass, give', text: /\bhand(s|ed|ing)? (it |them |the key )?over\b/i },
  { use: 'isReplacementOf, conversion, converted', text: /\b(became|becomes?) of\b|\bto-dos? made of\b/i },
  { use: 'guarded, unsupported, follow', text: /\b(un)?heed(s|ed)?\b/i },
  { use: 'retry, reload, refresh, restart, again', text: /\banew\b/i },
  { use: 'fix', text: /\bmend(s|ed|ing)?\b/i },
  { use: 'error, problem', text: /\btroubles?\b/i },
  {
    use: 'user (code, API, hubctl), member (web app, docs), anyone, someone',
    text: /\bsomebody\b|\bpersons\b|\bwhoever\b|\bwhomever\b|\bone's\b/i,
  },
  { use: 'item; in UI texts the kind', text: /\bthings? to see to\b/i },
  { use: 'revoke, expire', text: /\breplace, it leaked\b|\b(end|stop)s? (a|the|this|your) key\b|\bended keys?\b/i },
  { use: '"New" divider, unread marker', text: /\b(mark|line) that parts\b/i },
  {
    use: 'forever; permanently; only',
    text: /\bfor ever\b|\bfor good\b(?! reason)|\b(admins?|owners?|members?|machine|computer) alone\b/i,
  },
  {
    use: 'Unknown …, Invalid …; check, fix; current',
    text: /\bis no (scope|role|shell|priority|duration|point|number|id|command)\b|\bsee to it\b|\bthe present (key|one)\b/i,
  },
  {
    use: 'a verb or a noun phrase at the start of a sentence',
    text: /(^\s*(\/\*\*?|\*|\/\/) |[.:] )(Of|Who|Whom|What) (?!if\b)[\w'’ ,-]*[^?]*(\.|\*\/)/,
  },
];
