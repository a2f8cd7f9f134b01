// Generates src/wire/proto/navguard_pb.ts from src/wire/navguard.proto, with buf and protoc-gen-es; needs no network.
// Usage: node scripts/proto.mjs [folder to write to]
import { spawnSync } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const out = resolve(process.argv[2] ?? join(root, 'src/wire/proto'));
const template = {
  version: 'v2',
  plugins: [
    {
      local: [process.execPath, join(root, 'node_modules/@bufbuild/protoc-gen-es/bin/protoc-gen-es')],
      out,
      opt: ['target=ts', 'erasable_syntax=true', 'import_extension=ts'],
    },
  ],
};
const run = spawnSync(
  process.execPath,
  [
    join(root, 'node_modules/@bufbuild/buf/bin/buf'),
    ...['generate', 'src/wire', '--path', 'src/wire/navguard.proto', '--template', JSON.stringify(template)],
  ],
  { cwd: root, stdio: 'inherit' },
);
if (run.status !== 0) {
  console.error(`proto: buf ended with ${run.status ?? run.signal ?? run.error}`);
  process.exit(1);
}
