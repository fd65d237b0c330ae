"""What decides in Pennant. Begin with course.py."""
