import { TONES } from './emoji.ts';
import { setTone, tone } from './recent-emoji.ts';

const NAMES = ['No skin tone', 'Light', 'Medium light', 'Medium', 'Medium dark', 'Dark'];

/** The skin tone of the emoji that have one; a press goes on to the next. */
export function ToneChoice() {
  const place = TONES.indexOf(tone.value);
  return (
    <button
      class="icon-btn"
      type="button"
      aria-label={`Skin tone: ${NAMES[place]}. Press for the next`}
      title={`Skin tone: ${NAMES[place]}`}
      onClick={() => setTone(TONES[(place + 1) % TONES.length] ?? '')}
    >
      <span aria-hidden="true">{`✋${tone.value}`}</span>
    </button>
  );
}
