using System;
using System.Linq;
using Microsoft.AspNetCore.Mvc;
using Microsoft.EntityFrameworkCore;

namespace Weather;

public class Reading
{
    public int Id { get; set; }
    public string Station { get; set; } = "";
    public double Temp { get; set; }
}

public class WeatherContext(DbContextOptions<WeatherContext> options) : DbContext(options)
{
    public DbSet<Reading> Readings => Set<Reading>();
}

[Route("readings")]
public class ReadingsController(WeatherContext db) : Controller
{
    [HttpGet("raw")]
    public IActionResult Raw(string station)
        => Json(db.Readings.FromSqlRaw($"SELECT * FROM Readings WHERE Station = '{station}'").ToList());

    [HttpGet("interpolated")]
    public IActionResult Interpolated(string station)
        => Json(db.Readings.FromSqlInterpolated($"SELECT * FROM Readings WHERE Station = {station}").ToList());

    [HttpDelete]
    public IActionResult Delete(string station)
    {
        var sql = string.Format("DELETE FROM Readings WHERE Station = '{0}'", station);
        return Json(db.Database.ExecuteSqlRaw(sql));
    }

    [HttpPost("shift")]
    public IActionResult Shift(double delta)
        => Json(db.Database.ExecuteSqlRaw(FormattableString.Invariant($"UPDATE Readings SET Temp = Temp + {delta:F2}")));
}
