import { register } from 'node:module';

/*
 * For `node --import`, after tsx. tsx has each function keep its name by the definition of a property, also at each
 * call that makes a function within another: simulations take a fifth longer for it. Here an arrow function
 * goes without a name; functions and classes with a name of their own keep it.
 */
register(new URL('./plain-names-hook.ts', import.meta.url));
