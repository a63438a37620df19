import { TONES } from './emoji.ts';
import { setTone, tone } from './recent-emoji.ts';

const NAMES = ['No skin tone', 'Light', 'Medium light', 'Medium', 'Medium dark', 'Dark'];

/** A button with the skin tone for emoji that support one. Each click selects the next tone. */
export function ToneChoice() {
  const index = TONES.indexOf(tone.value);
  return (
    <button
      class="icon-btn"
      type="button"
      aria-label={`Skin tone: ${NAMES[index]}. Press to change`}
      title={`Skin tone: ${NAMES[index]}`}
      onClick={() => setTone(TONES[(index + 1) % TONES.length] ?? '')}
    >
      <span aria-hidden="true">{`✋${tone.value}`}</span>
    </button>
  );
}
