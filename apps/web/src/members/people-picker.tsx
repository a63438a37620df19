import Check from 'icon:check';
import type { PersonRef } from '@hub/contract';
import { useEffect, useId, useMemo, useState } from 'preact/hooks';
import { Face } from '../faces/face.tsx';
import { placeBy } from '../ui/menu.tsx';
import { usePopover } from '../ui/use-popover.ts';
import { useWorkspace } from '../workspace/workspace.ts';
import { matchingPeople } from './matching-people.ts';
import { useMembers } from './members.ts';

/** One of the choices that are no person: "Anyone", "Nobody". */
export interface OtherChoice {
  value: string | null;
  label: string;
}

interface PeoplePickerProps extends PickerProps {
  hubId: string;
}

interface PersonPickerProps extends PickerProps {
  /** Whom one can choose of. */
  people: readonly PersonRef[];
  /** What is said instead of people: that there is nobody, or why they did not load. */
  words: string;
}

interface PickerProps {
  /** What one chooses: "Assignee". */
  label: string;
  /** What is chosen: the id of a person, or the value of another choice. */
  chosen: string | null;
  others: readonly OtherChoice[];
  onChoose: (value: string | null, person: PersonRef | null) => void;
  onClose: () => void;
  /** What opened it: it stands by it, and the focus goes back to it. */
  opener: HTMLElement;
}

const NOBODY: readonly PersonRef[] = [];

interface Choice {
  value: string | null;
  label: string;
  person: PersonRef | null;
}

/** The members of a Hub to choose one of. */
export function PeoplePicker({ hubId, ...picker }: PeoplePickerProps) {
  const members = useMembers(hubId);
  const people = members.status === 'ready' ? members.people : NOBODY;
  const words = members.status === 'failed' ? members.words : 'Nobody in this Hub has such a name.';
  return <PersonPicker {...picker} people={people} words={members.status === 'loading' ? '' : words} />;
}

/** People to choose one of: letters find, arrows move, Enter chooses, Escape closes. */
export function PersonPicker({
  people,
  words: noneWords,
  label,
  chosen,
  others,
  onChoose,
  onClose,
  opener,
}: PersonPickerProps) {
  const { me } = useWorkspace();
  const id = useId();
  const box = usePopover<HTMLDivElement>({ opener, onClose });
  const [words, setWords] = useState('');
  const [active, setActive] = useState(0);
  const choices = useMemo<readonly Choice[]>(() => {
    const found = matchingPeople(people, words, me.value.id);
    const rest = words.trim() === '' ? others.map((other) => ({ ...other, person: null })) : [];
    return [...rest, ...found.map((person) => ({ value: person.id, label: person.name, person }))];
  }, [people, words, others, me.value.id]);

  useEffect(() => {
    box.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [active]);

  useEffect(() => {
    // It is higher once its people are there.
    if (box.current) placeBy(box.current, opener);
  }, [people]);

  const choose = (choice: Choice | undefined) => {
    if (!choice) return;
    onClose();
    onChoose(choice.value, choice.person && { id: choice.person.id, name: choice.person.name });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.isComposing) return;
    if (event.key === 'ArrowDown') setActive(Math.min(active + 1, choices.length - 1));
    else if (event.key === 'ArrowUp') setActive(Math.max(active - 1, 0));
    else if (event.key === 'Enter') choose(choices[active]);
    else if (event.key === 'Escape' || event.key === 'Tab') onClose();
    else return;
    event.preventDefault();
  };

  return (
    <div class="picker" popover="auto" ref={box} onKeyDown={onKeyDown}>
      <input
        type="text"
        role="combobox"
        aria-label={label}
        aria-expanded="true"
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={choices[active] ? `${id}-${active}` : undefined}
        placeholder="Find a person"
        autocomplete="off"
        value={words}
        onInput={({ currentTarget }) => {
          setWords(currentTarget.value);
          setActive(0);
        }}
      />
      <div class="options" role="listbox" id={id} aria-label={label}>
        {choices.map(({ value, label: name, person }, n) => (
          <div
            key={value ?? ''}
            id={`${id}-${n}`}
            role="option"
            tabIndex={-1}
            aria-selected={n === active}
            onPointerMove={() => setActive(n)}
            onClick={() => choose(choices[n])}
          >
            {person ? (
              <Face {...person} kind="person" size="s" />
            ) : (
              <span class="face is-s is-none" aria-hidden="true" />
            )}
            <span class="name">
              <bdi>{name}</bdi>
              {person?.id === me.value.id && <span class="you"> (you)</span>}
            </span>
            {value === chosen && <Check />}
            {value === chosen && <span class="sr">, chosen</span>}
          </div>
        ))}
      </div>
      <p class="picker-state" role="status">
        {choices.length === 0 && noneWords}
      </p>
    </div>
  );
}
