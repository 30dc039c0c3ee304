/** The repository's package.json, as far as the package takes from it. */
export type RepositoryManifest = {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly engines: Readonly<Record<string, string>>;
  /** For each subpath the source of its face. */
  readonly exports: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
};

/** The package.json of the package. */
export type PackedManifest = {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly keywords: readonly string[];
  readonly type: 'module';
  readonly sideEffects: false;
  readonly engines: Readonly<Record<string, string>>;
  readonly files: readonly string[];
  readonly exports: Readonly<Record<string, { readonly types: string; readonly default: string } | string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional: true }>>;
};

/** The package's folders: scripts with their source maps, and declarations. */
export const LIB = 'lib';
export const TYPES = 'types';
/** Files of the repository that go along. */
export const DOCUMENTS = ['CHANGELOG.md', 'LICENSE'] as const;
/** The package's own page. */
export const README = 'README.md';

/** Rapier's builds: a project takes one of them, and gives it to `/rapier`. */
const RAPIER_BUILDS = [
  '@dimforge/rapier3d',
  '@dimforge/rapier3d-compat',
  '@dimforge/rapier3d-simd',
  '@dimforge/rapier3d-simd-compat',
];
/** The versions that pass the contract of a simulation (test/physics/versions.slow.test.ts). */
const RAPIER_RANGE = '>=0.19.0 <0.22.0';

/** A face of the package. */
export type Face = {
  /** As in package.json: '.', './rapier'. */
  readonly subpath: string;
  /** The name of its files and of its report: 'core', 'rapier'. */
  readonly name: string;
  /** The path of its source: 'src/core/index.ts'. */
  readonly source: string;
};

/** The faces that the repository's package.json exports. */
export function facesOf({ exports }: Pick<RepositoryManifest, 'exports'>): Face[] {
  return Object.entries(exports).map(([subpath, source]) => ({
    subpath,
    name: subpath === '.' ? 'core' : subpath.slice(2),
    source: source.replace(/^\.\//, ''),
  }));
}

/** The path of a face's declarations in the package. */
export function typesOf({ source }: Face): string {
  return `${TYPES}/${source.replace(/^src\//, '').replace(/\.ts$/, '.d.ts')}`;
}

/** The package.json of the package: no script and no dependency; a subpath's needs are optional peers. */
export function packedManifest(repository: RepositoryManifest): PackedManifest {
  const { name, version, description, license, engines, dependencies } = repository;
  const peers = {
    ...Object.fromEntries(RAPIER_BUILDS.map((build) => [build, RAPIER_RANGE])),
    peerjs: dependencies.peerjs,
    react: '^19.0.0',
    three: '>=0.159.0',
    '@react-three/fiber': '^9.0.4',
    '@react-three/rapier': '^2.0.0',
    'node-datachannel': dependencies['node-datachannel'],
    ws: dependencies.ws,
  };
  return {
    name,
    version,
    description,
    license,
    keywords: ['multiplayer', 'netcode', 'networking', 'physics', 'rapier', 'three', 'webrtc', 'webxr'],
    type: 'module',
    sideEffects: false,
    engines,
    files: [LIB, TYPES, README, ...DOCUMENTS],
    exports: {
      ...Object.fromEntries(
        facesOf(repository).map((face) => [
          face.subpath,
          { types: `./${typesOf(face)}`, default: `./${LIB}/${face.name}.js` },
        ]),
      ),
      './package.json': './package.json',
    },
    peerDependencies: peers,
    peerDependenciesMeta: Object.fromEntries(Object.keys(peers).map((peer) => [peer, { optional: true }])),
  };
}
