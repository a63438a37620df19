/**
 * Marks in one place beyond those that any language uses (Stream-Safe Text Format, unicode.org/reports/tr15, section 13).
 */
const EXCESS_MARKS = /(\p{M}{30})\p{M}+/gu;

/**
 * Normalizes text that anyone may have written, without the marks beyond 30 in one place. Normalization sorts marks, in
 * quadratic time: with 100,000 of them in one place, it would take a minute.
 */
export function normalizeText(text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string {
  return text.replace(EXCESS_MARKS, '$1').normalize(form);
}
