/**
 * Settings in a URL: a table says of each how it is read and written, and both go by it. The pages that have
 * settings have a table each.
 */

/** What a numeric setting may be, in a unit. */
export type NumberRange = {
  readonly low: number;
  readonly high: number;
  readonly step: number;
  readonly unit: string;
};

/** How one setting is read from the URL; `undefined` if the text is none of its values. */
export type Field<Value> = {
  readonly otherwise: Value;
  /** Completes "It can be …" in a complaint. */
  readonly values: string;
  read(text: string): Value | undefined;
  write(value: Value): string;
};

/** One field for each setting, in the order in which they stand in a URL. */
export type Fields<Settings> = { readonly [Name in keyof Settings]: Field<Settings[Name]> };

/** Reads a query string: a value that makes no sense is replaced by the default, with a sentence about it. */
export function parseFields<Settings extends object>(
  fields: Fields<Settings>,
  search: string,
): { settings: Settings; complaints: string[] } {
  const given = new URLSearchParams(search);
  const complaints: string[] = [];

  function read<Name extends keyof Settings & string>(name: Name): Settings[Name] {
    const field: Field<Settings[Name]> = fields[name];
    const texts = given.getAll(name);
    if (texts.length === 0) return field.otherwise;
    const value = field.read(texts[0].trim());
    if (value === undefined) {
      const used = field.write(field.otherwise);
      complaints.push(`“${name}” can’t be “${texts[0]}”: it can be ${field.values}. It is ${used} for now.`);
      return field.otherwise;
    }
    if (texts.length > 1) complaints.push(`“${name}” is given more than once: the first one counts.`);
    return value;
  }

  const settings: Partial<Settings> = {};
  for (const name of namesOf(fields)) settings[name] = read(name);
  for (const name of new Set(given.keys())) {
    if (!Object.hasOwn(fields, name))
      complaints.push(`“${name}” is no setting of this page: it is left out.`);
  }
  // Every name of the table was read.
  return { settings: settings as Settings, complaints };
}

/** The query string that brings settings back: what differs from the defaults, and always `page`. */
export function formatFields<Settings extends object>(
  fields: Fields<Settings>,
  settings: Settings,
  page: keyof Settings & string,
): string {
  const parameters = new URLSearchParams();

  function write<Name extends keyof Settings & string>(name: Name): void {
    const field: Field<Settings[Name]> = fields[name];
    const value = field.write(settings[name]);
    if (name === page || value !== field.write(field.otherwise)) parameters.set(name, value);
  }

  for (const name of namesOf(fields)) write(name);
  return `?${parameters.toString()}`;
}

function namesOf<Settings extends object>(fields: Fields<Settings>): (keyof Settings & string)[] {
  return Object.keys(fields) as (keyof Settings & string)[];
}

export function oneOf<const Value extends string | number>(
  values: readonly Value[],
  otherwise: NoInfer<Value>,
): Field<Value> {
  return {
    otherwise,
    values: listed(values),
    read: (text) => values.find((value) => String(value) === text),
    write: String,
  };
}

export function number(range: NumberRange, otherwise: number): Field<number> {
  const whole = range.step === 1;
  const unit = range.unit === '' ? '' : ` ${range.unit}`;
  return {
    otherwise,
    values: `${whole ? 'a whole number' : 'a number'} from ${range.low} to ${range.high}${unit}`,
    read: (text) => (DECIMAL.test(text) ? numberIn(range, Number(text)) : undefined),
    write: String,
  };
}

/** Digits, and a fraction: no exponents, signs or hexadecimals. */
const DECIMAL = /^\d+(\.\d+)?$/;

/** The value on its step, or undefined if it is outside of the range or between whole numbers. */
export function numberIn(range: NumberRange, value: number): number | undefined {
  if (!(value >= range.low && value <= range.high)) return undefined;
  if (range.step === 1) return Number.isInteger(value) ? value : undefined;
  const perUnit = Math.round(1 / range.step);
  return Math.round(value * perUnit) / perUnit;
}

export function onOff(otherwise: boolean): Field<boolean> {
  return {
    otherwise,
    values: listed(['on', 'off']),
    read: (text) => (text === 'on' ? true : text === 'off' ? false : undefined),
    write: (value) => (value ? 'on' : 'off'),
  };
}

/** "a, b or c" */
export function listed(values: readonly (string | number)[]): string {
  const last = values[values.length - 1];
  return values.length === 1 ? String(last) : `${values.slice(0, -1).join(', ')} or ${last}`;
}
