/** Settings in a URL. Each page with settings has one table; it says how each setting is read and written. */

/** The range of a numeric setting, the step between its values, and its unit. */
export type NumberRange = {
  readonly low: number;
  readonly high: number;
  readonly step: number;
  readonly unit: string;
};

/**
 * How one setting is read from the URL and written into it. `read` returns undefined if the text is not one
 * of the setting's values.
 */
export type Field<Value> = {
  readonly defaultValue: Value;
  /** Completes the sentence "It can be …" in a complaint. */
  readonly values: string;
  read(text: string): Value | undefined;
  write(value: Value): string;
};

/** One field for each setting, in the order of the URL. */
export type Fields<Settings> = { readonly [Name in keyof Settings]: Field<Settings[Name]> };

/**
 * Reads a query string. A value that is not allowed is replaced by the default.
 * @returns the settings, and one sentence for each value that was replaced or ignored. Never throws.
 */
export function parseFields<Settings extends object>(
  fields: Fields<Settings>,
  search: string,
): { settings: Settings; complaints: string[] } {
  const given = new URLSearchParams(search);
  const complaints: string[] = [];

  function read<Name extends keyof Settings & string>(name: Name): Settings[Name] {
    const field: Field<Settings[Name]> = fields[name];
    const texts = given.getAll(name);
    if (texts.length === 0) return field.defaultValue;
    const value = field.read(texts[0].trim());
    if (value === undefined) {
      const used = field.write(field.defaultValue);
      complaints.push(`“${name}” can’t be “${texts[0]}”: it can be ${field.values}. The page uses ${used}.`);
      return field.defaultValue;
    }
    if (texts.length > 1) complaints.push(`“${name}” is given more than once: the first value is used.`);
    return value;
  }

  const settings: Partial<Settings> = {};
  for (const name of namesOf(fields)) settings[name] = read(name);
  for (const name of new Set(given.keys())) {
    if (!Object.hasOwn(fields, name))
      complaints.push(`“${name}” is not a setting of this page, so it is ignored.`);
  }
  // The loop has read every name of the table.
  return { settings: settings as Settings, complaints };
}

/** Returns the query string for these settings: those that differ from their default, and always `page`. */
export function formatFields<Settings extends object>(
  fields: Fields<Settings>,
  settings: Settings,
  page: keyof Settings & string,
): string {
  const parameters = new URLSearchParams();

  function write<Name extends keyof Settings & string>(name: Name): void {
    const field: Field<Settings[Name]> = fields[name];
    const value = field.write(settings[name]);
    if (name === page || value !== field.write(field.defaultValue)) parameters.set(name, value);
  }

  for (const name of namesOf(fields)) write(name);
  return `?${parameters.toString()}`;
}

function namesOf<Settings extends object>(fields: Fields<Settings>): (keyof Settings & string)[] {
  return Object.keys(fields) as (keyof Settings & string)[];
}

/** A setting with a fixed list of values. */
export function oneOf<const Value extends string | number>(
  values: readonly Value[],
  otherwise: NoInfer<Value>,
): Field<Value> {
  return {
    defaultValue: otherwise,
    values: listed(values),
    read: (text) => values.find((value) => String(value) === text),
    write: String,
  };
}

/** A numeric setting. */
export function number(range: NumberRange, otherwise: number): Field<number> {
  const whole = range.step === 1;
  const unit = range.unit === '' ? '' : ` ${range.unit}`;
  return {
    defaultValue: otherwise,
    values: `${whole ? 'a whole number' : 'a number'} from ${range.low} to ${range.high}${unit}`,
    read: (text) => (DECIMAL.test(text) ? numberIn(range, Number(text)) : undefined),
    write: String,
  };
}

/** Digits and an optional fraction: no exponent, no sign, no hexadecimal number. */
const DECIMAL = /^\d+(\.\d+)?$/;

/**
 * Rounds a value to the range's step. Returns undefined if it is outside the range, or not a whole number
 * where the step is 1.
 */
export function numberIn(range: NumberRange, value: number): number | undefined {
  if (!(value >= range.low && value <= range.high)) return undefined;
  if (range.step === 1) return Number.isInteger(value) ? value : undefined;
  const perUnit = Math.round(1 / range.step);
  return Math.round(value * perUnit) / perUnit;
}

/** A setting that is `on` or `off` in the URL. */
export function onOff(otherwise: boolean): Field<boolean> {
  return {
    defaultValue: otherwise,
    values: listed(['on', 'off']),
    read: (text) => (text === 'on' ? true : text === 'off' ? false : undefined),
    write: (value) => (value ? 'on' : 'off'),
  };
}

/** Joins values as in "a, b or c". */
export function listed(values: readonly (string | number)[]): string {
  const last = values[values.length - 1];
  return values.length === 1 ? String(last) : `${values.slice(0, -1).join(', ')} or ${last}`;
}
