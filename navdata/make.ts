// `npm run navdata`: writes the bundled maps, their logs and the manifest. Imports navdata/bundle.ts only.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeBundle } from './bundle.ts';

// Compiled, this file stands in dist/navdata/.
const navdata = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'navdata');
for (const [name, bytes] of await makeBundle()) {
  const path = join(navdata, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, bytes);
  console.log(`${name}: ${bytes.length} bytes`);
}
