import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/long/**', 'node_modules/**'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    // a missing log or snapshot fails; only -u writes one
    update: 'none',
    coverage: { include: ['src/**', 'assembly/**'] },
  },
});
