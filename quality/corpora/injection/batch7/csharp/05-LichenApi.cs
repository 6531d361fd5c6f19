using System;
using System.Linq;
using Microsoft.AspNetCore.Builder;
using Microsoft.EntityFrameworkCore;
using Microsoft.Extensions.DependencyInjection;

var builder = WebApplication.CreateBuilder(args);
builder.Services.AddDbContext<LichenContext>(o => o.UseNpgsql("Host=localhost;Database=lichen"));
var app = builder.Build();

var observations = app.MapGroup("/observations");

observations.MapGet("/near", async (LichenContext db, string quadrant, double lat, double lon) =>
{
    var list = await db.Observations
        .FromSqlInterpolated($"SELECT * FROM observations WHERE quadrant = {quadrant} ORDER BY abs(lat - {lat}) + abs(lon - {lon})")
        .Take(50)
        .ToListAsync();
    return list.Count == 0 ? Results.NoContent() : Results.Ok(list);
});

observations.MapGet("/host/{tree}", async (LichenContext db, string tree) =>
{
    var list = await db.Observations
        .FromSqlRaw($"SELECT * FROM observations WHERE host_tree = '{tree}'")
        .AsNoTracking()
        .ToListAsync();
    return Results.Ok(list);
});

observations.MapGet("/collector", async (LichenContext db, string name) =>
{
    var list = await db.Observations
        .FromSqlRaw("SELECT * FROM observations WHERE collector = {0}", name)
        .ToListAsync();
    return Results.Ok(list);
});

observations.MapGet("/totals", async (LichenContext db, string by) =>
{
    FormattableString template = $"SELECT {by} AS value FROM observations GROUP BY 1";
    var sql = template.ToString();
    var totals = await db.Database.SqlQueryRaw<string>(sql).ToListAsync();
    return Results.Ok(totals);
});

observations.MapDelete("/stale/{days:int}", async (LichenContext db, int days) =>
{
    var removed = await db.Database.ExecuteSqlRawAsync(
        "DELETE FROM observations WHERE confirmed = false AND seen_on < now() - interval '" + days + " days'");
    return Results.Ok(new { removed });
});

app.Run();

public class Observation
{
    public int Id { get; set; }
    public string Species { get; set; } = "";
    public string HostTree { get; set; } = "";
    public string Quadrant { get; set; } = "";
    public string Collector { get; set; } = "";
    public double Lat { get; set; }
    public double Lon { get; set; }
}

public class LichenContext : DbContext
{
    public LichenContext(DbContextOptions<LichenContext> options) : base(options) { }

    public DbSet<Observation> Observations => Set<Observation>();
}
