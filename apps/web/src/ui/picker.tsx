import { Check } from 'icons';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { Opened } from './button.tsx';
import { usePopover } from './use-popover.ts';

/** Returns the keyboard and the roles of a field with a list below it: arrows move, Enter chooses. */
export function useCombobox<Row>({ label, find, onChoose }: ComboboxOptions<Row>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const rows = find(text);
  const last = rows.length - 1;
  const here = Math.min(active, last);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [here, text]);
  const choose = (n: number) => {
    const row = rows[n];
    if (row !== undefined) onChoose(row);
  };
  /** Returns whether it handled the key. */
  const handleKey = ({ key, shiftKey, altKey }: KeyboardEvent): boolean => {
    if (shiftKey || altKey) return false;
    if (key === 'ArrowDown') setActive(here >= last ? 0 : here + 1);
    else if (key === 'ArrowUp') setActive(here <= 0 ? last : here - 1);
    else if (key === 'Home') setActive(0);
    else if (key === 'End') setActive(last);
    else if (key === 'Enter') choose(here);
    else return false;
    return true;
  };
  const field = {
    type: 'text',
    role: 'combobox',
    'aria-label': label,
    'aria-expanded': true,
    'aria-controls': id,
    'aria-autocomplete': 'list',
    'aria-activedescendant': rows[here] === undefined ? undefined : `${id}-${here}`,
    autocomplete: 'off',
    value: text,
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
      setText(currentTarget.value);
      setActive(0);
    },
  } as const;
  const option = (n: number) =>
    ({
      id: `${id}-${n}`,
      role: 'option',
      tabIndex: -1,
      'aria-selected': n === here,
      onPointerMove: () => setActive(n),
      onClick: () => choose(n),
    }) as const;
  return {
    text,
    rows,
    handleKey,
    field,
    listbox: { role: 'listbox', id, 'aria-label': label, ref: list },
    option,
  } as const;
}

interface ComboboxOptions<Row> {
  label: string;
  find: (text: string) => readonly Row[];
  onChoose: (row: Row) => void;
}

export interface PickerChoice {
  value: string | null;
  label: string;
  icon?: ComponentChildren;
  detail?: string;
}

interface PickerProps extends Opened {
  label: string;
  placeholder: string;
  chosen: string | null;
  find: (text: string) => readonly PickerChoice[];
  /** The text for an empty list: no matches, or an error message. */
  text: string;
  onChoose: (value: string | null) => void;
}

/** A list with a field: typing filters, arrows move, Enter chooses, Escape closes. */
export function Picker({ label, placeholder, chosen, find, text: noneText, onChoose, onClose, opener }: PickerProps) {
  const box = usePopover<HTMLDivElement>({ opener, onClose });
  const { text, rows, handleKey, field, listbox, option } = useCombobox({
    label,
    find,
    onChoose: ({ value }) => {
      onClose();
      onChoose(value);
    },
  });
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.isComposing) return;
    if (event.key === 'Escape' || event.key === 'Tab') onClose();
    else if (!handleKey(event)) return;
    event.preventDefault();
  };
  return (
    <div class="picker" popover="auto" ref={box} onKeyDown={onKeyDown}>
      <input {...field} placeholder={placeholder} />
      <div {...listbox}>
        {rows.map(({ value, label: name, icon, detail }, n) => (
          <div key={value ?? ''} {...option(n)}>
            {icon ?? <span class="avatar is-s is-none" aria-hidden="true" />}
            <span class="name grow cut">
              <bdi>{name}</bdi>
              {detail && <span class="sub"> {detail}</span>}
            </span>
            {value === chosen && <Check />}
            {value === chosen && <span class="sr">, selected</span>}
          </div>
        ))}
      </div>
      <p class="picker-state" role="status">
        {rows.length === 0 ? noneText : text !== '' && <span class="sr">{rows.length} found</span>}
      </p>
    </div>
  );
}
