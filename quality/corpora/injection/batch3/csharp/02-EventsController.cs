using Microsoft.AspNetCore.Mvc;
using Microsoft.EntityFrameworkCore;

namespace Venue.Api;

public class Event
{
    public int Id { get; set; }
    public string Title { get; set; } = "";
    public string City { get; set; } = "";
}

public class VenueContext(DbContextOptions<VenueContext> options) : DbContext(options)
{
    public DbSet<Event> Events => Set<Event>();
}

[ApiController]
[Route("events")]
public class EventsController(VenueContext db) : ControllerBase
{
    [HttpGet]
    public Task<List<Event>> InCity([FromQuery] string city) =>
        db.Events.Where(e => e.City == city).OrderBy(e => e.Title).ToListAsync();

    [HttpGet("search")]
    public Task<List<Event>> Search([FromQuery] string q) =>
        db.Events.FromSqlRaw("SELECT * FROM Events WHERE Title LIKE '%" + q + "%'").ToListAsync();

    [HttpGet("exact")]
    public Task<List<Event>> Exact([FromQuery] string title) =>
        db.Events.FromSqlInterpolated($"SELECT * FROM Events WHERE Title = {title}").ToListAsync();

    [HttpPost("{id:int}/rename")]
    public async Task<IActionResult> Rename(int id, [FromBody] string title)
    {
        var sql = $"UPDATE Events SET Title = '{title}' WHERE Id = {id}";
        await db.Database.ExecuteSqlRawAsync(sql);
        return NoContent();
    }

    [HttpDelete]
    public async Task<IActionResult> Clear([FromQuery] string city)
    {
        var n = await db.Database.ExecuteSqlAsync($"DELETE FROM Events WHERE City = {city}");
        return Ok(n);
    }
}
