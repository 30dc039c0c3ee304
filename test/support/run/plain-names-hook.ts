import type { LoadHook } from 'node:module';

/** The helper that tsx defines in each module that it has compiled. */
const KEEPS_NAME = /__name=\(target,value\)=>__defProp\(target,"name",\{value,configurable:true\}\)/;

/** Node calls it for each module. @returns the module, with a helper that does nothing. */
export const load: LoadHook = async (url, context, nextLoad) => {
  const loaded = await nextLoad(url, context);
  const { format, source } = loaded;
  if (format !== 'module' || source === undefined || source === null || !/\.ts(\?|$)/.test(url))
    return loaded;
  const text = typeof source === 'string' ? source : new TextDecoder().decode(source);
  // The text keeps its length, so the places in the source map stay true.
  return { ...loaded, source: text.replace(KEEPS_NAME, (helper) => '__name=(f)=>f'.padEnd(helper.length)) };
};
