import { withParameters } from './urls.ts';

/** One filter of a page in its URL. */
interface UrlField<Value> {
  parameter: string;
  /** The value without the parameter, and of an unknown text. */
  none: Value;
  read: (text: string) => Value | null | undefined;
  /** By default, the value as text. */
  write?: (value: NonNullable<Value>) => string;
}

/** Returns how the filters of a page are read from its URL and written to it, so that a link shows the same list. */
export function urlFilters<Filter extends object>(
  fields: {
    readonly [Name in keyof Filter]: UrlField<Filter[Name]>;
  },
) {
  const all = Object.entries(fields) as [keyof Filter, UrlField<unknown>][];
  return {
    read(query: URLSearchParams): Filter {
      const values = all.map(([name, { parameter, none, read }]) => [name, read(query.get(parameter) ?? '') ?? none]);
      return Object.fromEntries(values) as Filter;
    },
    write(query: URLSearchParams, filter: Filter): URLSearchParams {
      const texts = all.map(([name, { parameter, none, write = String }]) => {
        const value = filter[name];
        return [parameter, value === none || value === null ? null : write(value as object)];
      });
      return withParameters(query, Object.fromEntries(texts));
    },
    isSet: (filter: Filter): boolean => all.some(([name, { none }]) => filter[name] !== none),
  };
}

export const textIn = (parameter: string): UrlField<string | null> => {
  return { parameter, none: null, read: (text) => text || null };
};

export const flagIn = (parameter: string): UrlField<boolean> => {
  return { parameter, none: false, read: (text) => text === 'true' };
};

export function oneIn<Value extends string, None extends Value | null>(
  parameter: string,
  choices: readonly Value[],
  none: None,
): UrlField<Value | None> {
  return { parameter, none, read: (text) => choices.find((choice) => choice === text) };
}
