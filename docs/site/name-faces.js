import { Converter } from 'typedoc';
import { FACES } from './faces.js';

/**
 * A plugin of TypeDoc: each module is called by what a project imports, not by its file.
 * @param {import('typedoc').Application} app
 */
export function load(app) {
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.children ?? []) {
      const file = project.getSymbolIdFromReflection(module)?.fileName?.replaceAll('\\', '/');
      const face = FACES.find(({ source }) => file?.endsWith(`/${source}`));
      if (face === undefined) throw new Error(`no import of the package begins with ${file}`);
      module.name = face.page;
    }
  });
}
