using System.Diagnostics;
using System.IO;
using System.Linq;
using Nancy;

public class HandbookModule : NancyModule
{
    private const string Base = "/srv/handbook/";

    private static string Tidy(string name)
    {
        return name.Replace("../", "");
    }

    private static string Slug(string name)
    {
        return new string(name.ToLowerInvariant().Where(char.IsLetterOrDigit).ToArray());
    }

    public HandbookModule()
    {
        Get("/chapter", _ =>
        {
            string name = Request.Query["name"];
            return File.ReadAllText(Base + Tidy(name));
        });

        Get("/figure", _ =>
        {
            string name = Request.Query["name"];
            return File.ReadAllText(Base + "fig/" + Slug(name) + ".svg");
        });

        Get("/note", _ =>
        {
            string name = Request.Query["name"];
            if (name.StartsWith("/") || name.Contains("etc"))
            {
                return "forbidden";
            }
            return File.ReadAllText(Path.Combine(Base, name));
        });

        Get("/grep", _ =>
        {
            string word = Request.Query["q"];
            foreach (var c in ";|&")
            {
                word = word.Replace(c.ToString(), "");
            }
            var info = new ProcessStartInfo("sh", "-c \"grep -ri " + word + " " + Base + "\"") { RedirectStandardOutput = true };
            return Process.Start(info).StandardOutput.ReadToEnd();
        });
    }
}
