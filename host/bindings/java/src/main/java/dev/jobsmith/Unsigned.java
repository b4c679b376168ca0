package dev.jobsmith;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a whole number that has no sign, and says how many bits it has.
 *
 * <p>With 16 and 32 bits the next larger type of Java holds all values as they are. A number of 64
 * bits is a {@code long} whose bits are to be read without a sign: {@link Long#toUnsignedString},
 * {@link Long#compareUnsigned}. Only beyond 2<sup>63</sup> does that make a difference.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE_USE)
public @interface Unsigned {
    /** The number of bits: 16, 32 or 64. */
    int value();
}
