import { readFileSync } from 'node:fs';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

/**
 * Rules that find mistakes. Prettier has the layout and TypeScript the types; what is left to taste is left
 * to whoever writes. no-unnecessary-condition and its kin are off: an index into a typed array may miss.
 */

/** What core must not call; test/tidy.test.ts reads the same list. */
const bans = JSON.parse(
  readFileSync(new URL('./test/support/gates/core-bans.json', import.meta.url), 'utf8'),
);
const PURE = 'Core is pure: time, chance and bytes come in as arguments.';

const mistakes = {
  'array-callback-return': 'error',
  eqeqeq: 'error',
  'for-direction': 'error',
  'no-compare-neg-zero': 'error',
  'no-cond-assign': 'error',
  'no-constant-binary-expression': 'error',
  'no-constant-condition': ['error', { checkLoops: 'allExceptWhileTrue' }],
  'no-constructor-return': 'error',
  'no-control-regex': 'error',
  'no-debugger': 'error',
  'no-dupe-else-if': 'error',
  'no-duplicate-case': 'error',
  'no-duplicate-imports': ['error', { allowSeparateTypeImports: true }],
  'no-empty': 'error',
  'no-fallthrough': 'error',
  'no-global-assign': 'error',
  'no-loss-of-precision': 'error',
  'no-promise-executor-return': ['error', { allowVoid: true }],
  'no-prototype-builtins': 'error',
  'no-self-assign': 'error',
  'no-self-compare': 'error',
  'no-shadow-restricted-names': 'error',
  'no-sparse-arrays': 'error',
  'no-template-curly-in-string': 'error',
  'no-unmodified-loop-condition': 'error',
  'no-unreachable-loop': 'error',
  'no-unsafe-finally': 'error',
  'no-unsafe-optional-chaining': 'error',
  'no-useless-assignment': 'error',
  'no-var': 'error',
  'prefer-const': 'error',
  'use-isnan': 'error',
};

const typedMistakes = {
  '@typescript-eslint/no-confusing-void-expression': [
    'error',
    { ignoreArrowShorthand: true, ignoreVoidOperator: true, ignoreVoidReturningFunctions: true },
  ],
  '@typescript-eslint/no-deprecated': 'error',
  '@typescript-eslint/no-loop-func': 'error',
  '@typescript-eslint/no-misused-spread': 'error',
  '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', caughtErrors: 'none' }],
  '@typescript-eslint/require-await': 'off',
  '@typescript-eslint/return-await': ['error', 'in-try-catch'],
  '@typescript-eslint/switch-exhaustiveness-check': [
    'error',
    { considerDefaultExhaustiveForUnions: true, requireDefaultForNonUnion: false },
  ],
  '@typescript-eslint/use-unknown-in-catch-callback-variable': 'error',
};

export default defineConfig(
  globalIgnores(['dist', 'test/output']),
  {
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: mistakes,
  },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: typedMistakes,
  },
  {
    // A test may well take a method apart from its object, to see what it does then.
    files: ['test/**/*.ts'],
    rules: { '@typescript-eslint/unbound-method': 'off' },
  },
  {
    files: ['src/core/**/*.ts'],
    rules: {
      'no-restricted-globals': ['error', ...bans.globals.map((name) => ({ name, message: PURE }))],
      'no-restricted-properties': ['error', { object: 'Math', property: 'random', message: PURE }],
    },
  },
);
