// Compiles the twin from patched sources, each mutant in a folder of its own: what a battery must see, and what it may not
// miss. Imported by the mutant tests.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import type { Kernel } from '../../src/kernel/index.ts';

const root = resolve(import.meta.dirname, '../..');

export type Patch = readonly [file: string, from: string, to: string];
export type Mutant = readonly [name: string, patches: readonly Patch[]];

export interface Workshop {
  /** The twin with the patches applied; throws when a patch does not fit exactly once. */
  compile(name: string, patches: readonly Patch[]): Promise<() => Kernel>;
  /** Removes all that was compiled. */
  close(): void;
}

export function openWorkshop(): Workshop {
  const work = mkdtempSync(join(tmpdir(), 'navguard-mutants-'));
  return {
    close: () => rmSync(work, { recursive: true, force: true }),
    async compile(name, patches) {
      const folder = join(work, name.replaceAll(/\W+/g, '-'));
      for (const file of sources()) {
        const { outputText } = ts.transpileModule(patched(file, patches), {
          compilerOptions: {
            target: ts.ScriptTarget.ES2022,
            module: ts.ModuleKind.ESNext,
            rewriteRelativeImportExtensions: true,
            verbatimModuleSyntax: true,
          },
        });
        const to = join(folder, file.replace(/\.ts$/, '.js'));
        mkdirSync(dirname(to), { recursive: true });
        writeFileSync(to, outputText);
      }
      writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
      const url = pathToFileURL(join(folder, 'src/kernel/twin.js')).href;
      return (await import(/* @vite-ignore */ url)).twinKernel;
    },
  };
}

/** The twin and all that it imports, found by its import lines. */
function sources(): string[] {
  const found = new Set<string>();
  const visit = (file: string): void => {
    if (found.has(file)) return;
    found.add(file);
    const { importedFiles } = ts.preProcessFile(readFileSync(join(root, file), 'utf8'));
    for (const { fileName } of importedFiles) {
      if (fileName.startsWith('.')) visit(relative(root, resolve(root, dirname(file), fileName)).replaceAll('\\', '/'));
    }
  };
  visit('src/kernel/twin.ts');
  return [...found].filter((file) => !file.endsWith('.d.ts'));
}

function patched(file: string, patches: readonly Patch[]): string {
  let text = readFileSync(join(root, file), 'utf8');
  for (const [target, from, to] of patches) {
    if (target !== file) continue;
    const fits = text.split(from).length - 1;
    if (fits !== 1) throw new Error(`${file}: the patch must fit once, it fits ${fits} times: ${from}`);
    text = text.replace(from, () => to);
  }
  return text;
}
