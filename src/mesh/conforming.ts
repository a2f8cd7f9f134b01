// The conforming mesh: exact integers, whole shared edges, one vertex id per walkable fan. Made by conform.ts, packed by
// pack/. Type only.

/** Something that loading changed, dropped or left unlinked. Never silent. */
export interface Finding {
  readonly kind:
    | 'dropped-polygon' // zero area after snapping
    | 'triangulated-polygon' // not convex after snapping
    | 'split-polygon' // more than 8 corners after T-junctions were split
    | 'off-lattice' // vertices that lie on no cell corner
    | 'split-edge' // T-junctions made whole
    | 'welded-vertex' // border vertices of meshes without a lattice, moved by a unit or two to meet their partner
    | 'unlinked-portal' // a border edge that met no partner
    | 'recovered-portal' // border edges that meet exactly though the export lost their link
    | 'cut-portal' // a border portal higher than the climb
    | 'ambiguous-portal' // more than one partner for one edge: the nearest in height was taken
    | 'broken-neighbour' // neighbours that do not share the edge
    | 'unlinked-link' // an off-mesh connection with an end that no polygon near enough can hold
    | 'far-link' // between tiles that are not neighbours: closed at the start
    | 'long-link' // longer than anyone jumps
    | 'looped-link' // both ends on one polygon
    | 'doubled-link' // the same ends as another
    | 'reversed-winding'
    | 'duplicate-polygon' // given more than once in the file
    | 'no-agent' // the file names no body sizes
    | 'unknown-area' // the areas option names what the file does not have
    | 'filtered-polygon' // left out by the caller's filter
    | 'filtered-link'; // closed by the caller's filter
  /** One sentence for people. */
  readonly message: string;
  /** How often; findings of one kind are merged. */
  readonly count: number;
  /** Export polygon numbers of the first few. */
  readonly polygons: readonly number[];
  /** Where the first few are, metres: x, y, z. Of links it is the end that is the trouble, else the first. */
  readonly at?: readonly (readonly [number, number, number])[];
}

/** One end of an off-mesh link: a grid point strictly inside one polygon. */
export interface LinkEnd {
  /** -1 = on no polygon; then the place is the export's. */
  readonly polygon: number;
  /** Units. */
  readonly x: number;
  readonly z: number;
  /** Metres: the floor there. */
  readonly y: number;
}

/** A link between two points; a portal with a width becomes several, one beside the other. */
export interface PlacedLink {
  /** Number of the link in `NavMesh.links`. */
  readonly link: number;
  /** It is one portal with the placed link before it. */
  readonly strip: boolean;
  /** How far beside its line a body may be, metres. */
  readonly radius: number;
  /** Whether it is open at the start. */
  readonly open: boolean;
  readonly from: LinkEnd;
  readonly to: LinkEnd;
}

export interface ConformingMesh {
  /** Metres per unit; plan position = origin + units * unit. */
  readonly unit: number;
  readonly origin: { readonly x: number; readonly z: number };
  /** polygonCount + 1 entries into the corner arrays. Polygons are counter-clockwise (cross > 0), 3..8 corners. */
  readonly first: Uint32Array;
  /** Units, |value| <= 2^24. */
  readonly x: Int32Array;
  readonly z: Int32Array;
  /** Metres. */
  readonly y: Float32Array;
  /** Vertex id, one per walkable fan. */
  readonly vertex: Uint32Array;
  /** Polygon across the edge that starts at this corner, or -1. */
  readonly neighbour: Int32Array;
  /** Export polygon number of each polygon. */
  readonly source: Uint32Array;
  /** Connected component of each polygon, links counted whatever their direction; 0-based, numbered by first polygon. */
  readonly component: Uint32Array;
  readonly componentCount: number;
  readonly vertexCount: number;
  /** Off-mesh links with their ends put on polygons, in the order of `NavMesh.links`. */
  readonly links: readonly PlacedLink[];
  readonly findings: readonly Finding[];
}
