// Where this instance's frame begins. Several instances may share one memory and one map; each has its own frame. The
// twin sets it again whenever another twin was called in between.

let base: u32 = 0;

export function frame(): u32 {
  return base;
}
export function setFrame(address: u32): void {
  base = address;
}
