export class Tide { static fits() { return false; } }
