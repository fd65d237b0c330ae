"""What workers share through Redis: news of versions, and quotas. Nothing here must be right:
Redis may vanish at any moment, and then each worker goes on by itself.
"""
