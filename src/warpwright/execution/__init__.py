"""What the reference, worker and profile-target processes execute. The only room with torch."""
