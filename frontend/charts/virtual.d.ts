/** GeoJSON that the build makes of the atlases (geography.js). */
declare module 'virtual:land/*' {
  const land: { type: 'FeatureCollection'; features: { properties: Record<string, string>; geometry: object }[] };
  export default land;
}
