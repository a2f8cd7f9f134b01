// The AssemblyScript number types, as the TypeScript side sees them. Only kernels use these names; public
// declarations never do.
type u8 = number;
type u16 = number;
type u32 = number;
type i32 = number;
type f32 = number;
type f64 = number;
type usize = number;
type bool = boolean;
