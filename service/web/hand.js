export class Hand { static fits() { return false; } }
